import assert from "node:assert/strict";
import { test } from "node:test";
import v8 from "node:v8";
import { NamedArguments } from "./compile/filter.ts";
import { createEngine, type Template } from "./engine.ts";
import { markupOf } from "./parse/parser.ts";
import { Drop } from "./values/drop.ts";

class Product extends Drop {
  readonly title: string;

  constructor(title: string) {
    super();
    this.title = title;
  }

  field(key: string | number): unknown {
    return key === "title" ? this.title : undefined;
  }

  override toText(): string {
    return `<${this.title}>`;
  }

  override equals(other: unknown): boolean {
    return other instanceof Product && other.title === this.title;
  }
}

class Color extends Drop {
  field(): unknown {
    return undefined;
  }

  override toText(): string {
    return "red";
  }

  override toValue(): unknown {
    return "red";
  }
}

class Shop extends Drop {
  field(key: string | number): unknown {
    return key === "" ? "none" : new Product(String(key));
  }
}

class Shelf extends Drop {
  field(key: string | number): unknown {
    return key === "size" ? 2 : undefined;
  }

  override items(): readonly unknown[] {
    return [new Product("tea"), new Product("mug")];
  }

  override isEmpty(): boolean {
    return true;
  }
}

test("templates read the fields of a drop, and nothing else", () => {
  const engine = createEngine();
  const globals = {
    tea: new Product("tea"),
    other: new Product("tea"),
    red: new Color(),
    shelf: new Shelf(),
    shop: new Shop(),
  };
  const cases = {
    "{{ tea.title }}{{ tea['title'] }}{{ tea }}[{{ tea.equals }}{{ tea.constructor }}{{ tea.field }}]": "teatea<tea>[]",
    "{% if tea == other %}a{% endif %}{% if tea == nil %}b{% endif %}{% if tea == empty %}c{% endif %}{% if tea %}d{% endif %}":
      "ad",
    "{% if red == 'red' %}a{% endif %}{% if red != 'blue' %}b{% endif %}{% if 'red' contains red %}c{% endif %}{{ red | append: '!' }}":
      "abcred!",
    "{% case red %}{% when 'red' %}a{% endcase %}{% if red < 'z' %}b{% endif %}": "ab",
    "{% for p in shelf %}{{ p.title }}{{ forloop.last }}{% endfor %}{{ shelf.size }}{{ shelf | map: 'title' | join: '-' }}":
      "teafalsemugtrue2tea-mug",
    "{% if shelf == empty %}a{% endif %}{{ shelf | default: 'none' }}": "anone",
    "{{ shop['tea'] }} {{ shop[missing] }} {{ shop[nil] }} {{ shop[tea] }}": "<tea> none none <<tea>>",
    "{% assign l = shelf | where: 'title', 'mug' %}{{ l | size }}{{ l }}{{ l | append: '' }}": "1<mug>[<mug>]",
  };
  for (const [template, output] of Object.entries(cases))
    assert.equal(engine.parse(template).render(globals), output, template);
});

test("the program adds tags and filters to the standard ones", () => {
  const engine = createEngine({
    tags: {
      box: (tag, parser) => {
        const colour = parser.parseFilteredValue(markupOf(tag));
        const { body } = parser.body(tag);
        return {
          at: tag.begin,
          isBlank: false,
          render: (context) => {
            context.write(`<box ${String(colour(context))}>`);
            context.withLocal("box", "inside", () => body.render(context));
            context.write("</box>");
          },
        };
      },
    },
    filters: {
      given: (value, ...args) =>
        JSON.stringify([value, ...args.map((arg) => (arg instanceof NamedArguments ? Object.fromEntries(arg) : arg))]),
      state(value) {
        return `${value} ${this.options.state}`;
      },
    },
  });
  const template = engine.parse(
    "{% box 'r' | append: 'ed' %}{{ box }}{% endbox %}{{ box }}{{ 1 | given: 2, b: 'x', 3 }}{{ 1 | state }}",
  );
  assert.equal(template.render({}, { state: "S" }), '<box red>inside</box>[1,2,3,{"b":"x"}]1 S');
  assert.throws(() => engine.parse("{% box %}"), /'box' tag was never closed/);
});

test("onError receives each error with its location and returns the text shown in its place", () => {
  const messages: string[] = [];
  const warnings: string[] = [];
  const engine = createEngine();
  const card = engine.parse("\n{{ 'x' | nosuch }}{{ 1 | modulo: 0 }}", "card");
  const text = engine.parse("a\n{{ 1 | divided_by: 0 }}{% render 'card' %}b", "page").render(
    {},
    {
      partial: () => card,
      onError: ({ message }) => {
        messages.push(message);
        return "!";
      },
      onWarning: ({ message }) => warnings.push(message),
    },
  );
  assert.equal(text, "a\n!\nx!b");
  assert.deepEqual(messages, ["Liquid error (page line 2): divided by 0", "Liquid error (card line 2): divided by 0"]);
  assert.deepEqual(warnings, ["Liquid error (card line 2): undefined filter nosuch"]);
});

test("dates use the current time if the caller sets none", () => {
  const before = new Date().toISOString().slice(0, 10);
  const text = createEngine().parse("{{ 'now' | date: '%Y-%m-%d' }} {{ 'Today' | date: '%Y-%m-%d' }}").render();
  const days = [before, new Date().toISOString().slice(0, 10)];
  assert.ok(days.some((day) => text === `${day} ${day}`) || text === days.join(" "), text);
});

test("a template that does not exist is an error in its place, with its name", () => {
  const snippets = new Map<string, Template>();
  const template = createEngine().parse("a {% render 'card' %} {% include 'row' %} b");
  assert.equal(
    template.render({}, { partial: (name) => snippets.get(name) }),
    "a Liquid error: Could not find asset card Liquid error: Could not find asset row b",
  );
});

test("renders of one template are independent", () => {
  const template = createEngine().parse("{{ x }}{% assign x = 2 %}{% increment n %}{% cycle 'a', 'b' %}{{ x }}");
  assert.equal(template.render(), "0a2");
  assert.equal(template.render({ x: 1 }), "10a2");
});

test("output stays one byte per character in memory if another part of the template has wide characters", () => {
  const template = createEngine().parse("a…b{% comment %}—{% endcomment %}{% capture wide %}…{% endcapture %}");
  assert.equal(template.render(), "a…b");
  for (const printedText of [
    "a text that stands in it",
    "{{ 'a text that it prints' }}",
    "{% raw %}{{ this is raw text }}{% endraw %}",
  ]) {
    const template = createEngine().parse(`{% if x %}…{% else %}${printedText}{% endif %}`);
    assert.ok(v8.isStringOneByteRepresentation(template.render()), printedText);
  }
});

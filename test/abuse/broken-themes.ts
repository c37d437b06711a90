/** A theme with one error. All other sections are valid. */
export interface BrokenTheme {
  /** Texts by path in the theme. `sections/<name>.liquid` is the broken section. */
  readonly files: Readonly<Record<string, string>>;
  /** Output of the section around the error. Undefined if the entire section fails. */
  readonly shown?: string;
  /** Expected log line, with file and position. */
  readonly logged: RegExp;
  /** Expected output of `vitrine check`, with file and position. */
  readonly checked: RegExp;
}

const doubling = "{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}";

export const brokenThemes: Readonly<Record<string, BrokenTheme>> = {
  "endless-loop": {
    files: {
      "sections/endless-loop.liquid":
        "\n{% for a in (1..9999) %}{% for b in (1..9999) %}{% assign c = a | times: b %}{% endfor %}{% endfor %}",
    },
    logged: /takes more than \d+ steps.*sections\/endless-loop\.liquid, line:2/,
    checked: /sections\/endless-loop\.liquid:2: error: rendering the section takes more than \d+ steps/,
  },
  recursion: {
    files: {
      "sections/recursion.liquid": "{% render 'mirror' %}",
      "snippets/mirror.liquid": "\n\n{% render 'mirror' %}",
    },
    logged: /snippets are nested more than 50 levels deep.*snippets\/mirror\.liquid, line:3/,
    checked: /snippets\/mirror\.liquid:3:1 error: renders itself recursively/,
  },
  "circular-snippets": {
    files: {
      "sections/circular-snippets.liquid": "{% include 'egg' %}",
      "snippets/egg.liquid": "{% include 'hen' %}",
      "snippets/hen.liquid": "\n{% for i in (1..2) %}{% include 'egg' %}{% endfor %}",
    },
    logged: /snippets are nested more than 50 levels deep.*snippets\/(?:hen|egg)\.liquid, line:\d/,
    checked:
      /snippets\/egg\.liquid:1:1 error: renders itself recursively: snippets\/egg\.liquid → snippets\/hen\.liquid/,
  },
  "missing-file": {
    files: {
      "sections/missing-file.liquid":
        "a\n{% render 'nowhere' %}{% for i in (1..3) %}{% include 'nowhere' %}{{ i }}{% endfor %}",
    },
    shown: "a\n123",
    logged: /nowhere.*sections\/missing-file\.liquid, line:2/,
    checked: /sections\/missing-file\.liquid:2:1 error: no file snippets\/nowhere\.liquid/,
  },
  "bad-schema": {
    files: { "sections/bad-schema.liquid": 'a{% schema %}{"settings": [\n{"type": "text" "id": "x"}]}{% endschema %}' },
    logged: /sections\/bad-schema\.liquid.*line 2/,
    checked: /sections\/bad-schema\.liquid:2:17 error: invalid JSON: expected "," or a closing bracket/,
  },
  "too-much-output": {
    files: { "sections/too-much-output.liquid": `\n{% for i in (1..5000) %}${"0123456789".repeat(100)}{% endfor %}` },
    logged: /the output is too long.*sections\/too-much-output\.liquid, line:2/,
    checked: /sections\/too-much-output\.liquid:2: error: the output is too long/,
  },
  "unknown-filter": {
    files: { "sections/unknown-filter.liquid": "{{ 1 | plus: 19.99 | monye }}" },
    shown: "20.99",
    logged: /undefined filter monye.*sections\/unknown-filter\.liquid, line:1/,
    checked: /sections\/unknown-filter\.liquid:1:22 error: unknown filter "monye": did you mean "money"\?/,
  },
  "a-broken-snippet": {
    files: {
      "sections/a-broken-snippet.liquid": "a{% render 'half' %}{% if true %}{% include 'half' %}b{% endif %}",
      "snippets/half.liquid": "x\n{% if product %}",
    },
    shown: "ab",
    logged: /never closed.*snippets\/half\.liquid, line:2/,
    checked: /snippets\/half\.liquid:2:1 error: .*never closed/,
  },
  "a-missing-part": {
    files: {
      "sections/a-missing-part.liquid":
        "a\n{% section 'nowhere' %}{% form 'nosuch' %}x{% endform %}b{% content_for 'block', type: 'gone', id: 'g' %}",
    },
    shown: "a\nb",
    logged: /kinds of form are.*sections\/a-missing-part\.liquid, line:2/,
    checked: /sections\/a-missing-part\.liquid:2:1 error: no file sections\/nowhere\.liquid/,
  },
  "unknown-operator": {
    files: { "sections/unknown-operator.liquid": "a{% if product = nil %}x{% else %}y{% endif %}b" },
    shown: "ab",
    logged: /Unknown operator =.*sections\/unknown-operator\.liquid, line:1/,
    checked: /sections\/unknown-operator\.liquid:1:2 error: unknown operator "="/,
  },
  "unclosed-tag": {
    files: { "sections/unclosed-tag.liquid": "a\n{% if product %}\nb" },
    logged: /never closed.*sections\/unclosed-tag\.liquid, line:2/,
    checked: /sections\/unclosed-tag\.liquid:2:1 error: .*never closed/,
  },
  "giant-text": {
    files: { "sections/giant-text.liquid": `{% assign s = 'x' %}\n${doubling}{{ s | size }}` },
    logged: /more than 3000000 characters.*sections\/giant-text\.liquid, line:2/,
    checked: /sections\/giant-text\.liquid:2: error: .*more than 3000000 characters/,
  },
  "text-that-replaces-itself": {
    files: {
      "sections/text-that-replaces-itself.liquid":
        "{% assign s = 'aa' %}{% for i in (1..60) %}{% assign s = s | replace: 'a', 'aaaa' %}{% endfor %}",
    },
    logged: /more than 3000000 characters.*sections\/text-that-replaces-itself\.liquid, line:1/,
    checked: /sections\/text-that-replaces-itself\.liquid:1: error: .*more than 3000000 characters/,
  },
  "deep-nesting": {
    files: { "sections/deep-nesting.liquid": `${"{% if true %}".repeat(3_000)}x${"{% endif %}".repeat(3_000)}` },
    logged: /more than 100 levels deep.*sections\/deep-nesting\.liquid/,
    checked: /sections\/deep-nesting\.liquid:1:1301 error: .*more than 100 levels deep/,
  },
  "filter-fed-with-too-much": {
    files: {
      "sections/filter-fed-with-too-much.liquid":
        "{% assign s = '<a' %}{% for i in (1..18) %}{% assign s = s | append: s %}{% endfor %}\n{% for i in (1..9999) %}{% assign t = s | strip_html | split: '' | sort | join: '<' %}{% endfor %}",
    },
    logged: /sections\/filter-fed-with-too-much\.liquid, line:2/,
    checked: /sections\/filter-fed-with-too-much\.liquid:2: error: /,
  },
};

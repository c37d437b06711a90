import assert from "node:assert/strict";
import test from "node:test";
import { findDependencies } from "./dependencies.ts";

const usesCart = (source: string): boolean => findDependencies(source).reads.cart;

const templatesWithCart = [
  "{{ cart.item_count }}",
  "{{cart}}",
  "{%- if cart == empty -%}{%- endif -%}",
  "{% for i in cart.items %}{% endfor %}",
  "{% liquid\n  assign x = cart.note\n%}",
  "{{ 'x' | append: cart.note }}",
  "{% render 'x', cart: cart %}",
  "{% form 'cart', cart %}{% endform %}",
  "{{ ['cart'].note }}",
  "{{ self['cart'].note }}",
  "{% assign n = 'car' | append: 't' %}{{ [n].note }}",
  "{{ product[cart.note] }}",
  "{% echo cart.note %}",
];

const templatesWithoutCart = [
  "cart",
  "<cart-drawer>{{ routes.cart_url }}</cart-drawer>",
  "{{ 'cart' | t }}{{ \"cart\" }}",
  "{{ product.cart }}{{ cart_count }}{{ my-cart }}{{ mycart }}",
  "{% comment %}{{ cart }}{% endcomment %}{% # cart %}",
  "{% raw %}{{ cart }}{% endraw %}",
  "{{ product['cart'] }}{{ product[0] }}",
  "{% form 'cart' %}{% endform %}",
];

for (const source of templatesWithCart)
  test(`a template reads the cart: ${JSON.stringify(source)}`, () => assert.equal(usesCart(source), true));
for (const source of templatesWithoutCart)
  test(`a template does not read the cart: ${JSON.stringify(source)}`, () => assert.equal(usesCart(source), false));

test("the files that a file renders and includes are found, also in a liquid tag", () => {
  const source =
    "{% render 'a' %}{%- include \"b\" -%}{% liquid\n render 'c', x: 1\n section 'd'\n%}{% sections 'e' %}{% render f %}";
  const { snippets, sections, groups } = findDependencies(source);
  assert.deepEqual({ snippets, sections, groups }, { snippets: ["a", "b", "c"], sections: ["d"], groups: ["e"] });
});

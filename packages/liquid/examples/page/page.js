// Renders a template that the visitor edits, with limits: an endless loop shows an error instead of blocking the page.
import { createEngine, LiquidError, Meter } from "@vitrine/liquid";

const products = [
  { title: "Canvas shoes", price: 4900 },
  { title: "Rain coat", price: 12900 },
];
const engine = createEngine({ filters: { money: (cents) => `$${(Number(cents) / 100).toFixed(2)}` } });
const [input, status, output] = ["template", "status", "output"].map((id) => document.getElementById(id));

function show() {
  try {
    const meter = new Meter({ steps: 100_000, milliseconds: 100 });
    // Text, not HTML: the visitor's template could contain a script.
    output.textContent = engine.parse(input.value).render({ products }, { meter });
    status.textContent = `${meter.used} steps`;
  } catch (error) {
    if (!(error instanceof LiquidError)) throw error;
    status.textContent = error.message;
  }
}

input.value = "{% for product in products %}{{ product.title }}: {{ product.price | money }}. {% endfor %}";
input.addEventListener("input", show);
show();

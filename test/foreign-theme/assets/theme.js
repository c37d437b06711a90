/** Scripts as themes for another storefront write them: no token, forms sent as FormData, sections read by their wrappers. */
const config = (type = "json") => ({
  method: "POST",
  headers: { "Content-Type": "application/json", Accept: `application/${type}` },
});

const innerOf = (html, selector) =>
  new DOMParser().parseFromString(html, "text/html").querySelector(selector).innerHTML;

class SearchBox extends HTMLElement {
  connectedCallback() {
    this.querySelector("input").addEventListener("input", (event) => this.search(event.target.value.trim()));
  }

  async search(terms) {
    const url = `${window.routes.predictive_search_url}?q=${encodeURIComponent(terms)}&section_id=predictive-search`;
    const response = await fetch(url);
    if (!response.ok) return;
    this.querySelector(".results").innerHTML = innerOf(await response.text(), "#store-section-predictive-search");
  }
}

class ProductAdder extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const request = config("javascript");
      request.headers["X-Requested-With"] = "XMLHttpRequest";
      delete request.headers["Content-Type"];
      const data = new FormData(form);
      data.append("sections", ["cart-count"]);
      data.append("sections_url", window.location.pathname);
      request.body = data;
      const answer = await (await fetch(window.routes.cart_add_url, request)).json();
      if (answer.status) this.querySelector("[role=alert]").textContent = answer.description;
      else document.getElementById("cart-count").outerHTML = innerOf(answer.sections["cart-count"], ".shopify-section");
    });
  }
}

class CartLines extends HTMLElement {
  connectedCallback() {
    this.addEventListener("change", (event) => {
      this.change(event.target.closest(".line").dataset.line, event.target.value);
    });
    this.addEventListener("click", (event) => {
      if (event.target.closest(".remove")) this.change(event.target.closest(".line").dataset.line, 0);
    });
  }

  /** The old way of asking. */
  change(line, quantity) {
    const request = new XMLHttpRequest();
    request.open("POST", `${window.Shopify.routes.root}cart/change.js`);
    request.setRequestHeader("Content-Type", "application/json");
    request.onload = () => {
      const { sections, items } = JSON.parse(request.responseText);
      const id = this.dataset.id;
      this.querySelector("form").innerHTML = innerOf(sections[id], "form");
      const count = items.reduce((sum, item) => sum + item.quantity, 0);
      document.getElementById("cart-count").textContent = count;
    };
    const body = { line, quantity, sections: [this.dataset.id], sections_url: window.location.pathname };
    request.send(JSON.stringify(body));
  }
}

customElements.define("search-box", SearchBox);
customElements.define("product-adder", ProductAdder);
customElements.define("cart-lines", CartLines);

/**
 * Functions that older themes expect from another platform's servers (`option_selection.js`, `api.jquery.js`,
 * `shopify_common.js`, `customer_area.js`): variant pickers, cart calls, provinces, address forms. A classic script.
 */
(() => {
  window.Shopify ??= {};
  const shop = window.Shopify;
  if (shop.OptionSelectors) return;
  const root = shop.routes?.root ?? "/";
  const elementOf = (one) => (typeof one === "string" ? document.getElementById(one) : one);

  const optionsOf = (variant) => variant.options ?? [variant.option1, variant.option2, variant.option3];

  /**
   * Replaces the `<select>` of all variants with one `<select>` per product option, such as size and color.
   * @param callback receives the selected variant or null, and this object
   */
  shop.OptionSelectors = class {
    constructor(list, { product, onVariantSelected = () => {}, enableHistoryState = false }) {
      this.list = elementOf(list);
      this.product = { ...product, optionNames: () => this.names, getVariant: (values) => this.variantOf(values) };
      this.names = product.options.map((option) => option.name ?? option);
      this.selectIdPrefix = this.domIdPrefix = this.list.id || "product-select";
      this.onVariantSelected = onVariantSelected;
      this.historyState = enableHistoryState;
      this.selectors = this.names.map((name, index) => this.#selector(name, index));
      this.list.style.display = "none";
      const requestedId = new URLSearchParams(location.search).get("variant") ?? this.list.value;
      const first = product.variants.find(({ id }) => String(id) === String(requestedId)) ?? product.variants[0];
      this.#show(optionsOf(first ?? {}));
      this.#tell();
    }

    #selector(name, index) {
      const wrapper = Object.assign(document.createElement("div"), { className: "selector-wrapper" });
      const element = document.createElement("select");
      Object.assign(element, { className: "single-option-selector", id: `${this.selectIdPrefix}-option-${index}` });
      element.dataset.option = `option${index + 1}`;
      if (this.names.length > 1)
        wrapper.append(Object.assign(document.createElement("label"), { htmlFor: element.id, textContent: name }));
      wrapper.append(element);
      this.list.before(wrapper);
      element.addEventListener("change", () => {
        this.#show(this.selectedValues());
        this.#tell();
      });
      return { element, name };
    }

    /**
     * Updates the lists. Given the values selected in the lists before it, each list offers only values for which a
     * variant exists.
     */
    #show(wanted) {
      const chosen = [];
      for (const [index, { element }] of this.selectors.entries()) {
        const fitting = this.product.variants.filter((one) =>
          chosen.every((value, at) => optionsOf(one)[at] === value),
        );
        const values = [...new Set(fitting.map((one) => optionsOf(one)[index]))];
        element.replaceChildren(...values.map((value) => new Option(value, value)));
        element.value = values.includes(wanted[index]) ? wanted[index] : values[0];
        chosen.push(element.value);
      }
    }

    #tell() {
      const variant = this.variantOf(this.selectedValues());
      if (variant !== null) this.list.value = variant.id;
      if (variant !== null && this.historyState && this.isTold) {
        const address = new URL(location.href);
        address.searchParams.set("variant", variant.id);
        history.replaceState({}, document.title, address);
      }
      this.isTold = true;
      this.onVariantSelected(variant, this);
    }

    selectedValues() {
      return this.selectors.map(({ element }) => element.value);
    }

    variantOf(values) {
      const isIt = (one) => values.every((value, at) => optionsOf(one)[at] === value);
      return this.product.variants.find(isIt) ?? null;
    }

    /** Selects a variant.  @param id id of the variant  @returns whether the product has this variant */
    selectVariant(id) {
      const variant = this.product.variants.find((one) => String(one.id) === String(id));
      if (variant === undefined) return false;
      this.#show(optionsOf(variant));
      this.#tell();
      return true;
    }
  };

  const ask = async (path, body, callback, fallback) => {
    const isForm = body instanceof FormData;
    const headers = {
      accept: "application/json",
      ...(isForm || body === undefined ? {} : { "content-type": "application/json" }),
    };
    const method = body === undefined ? "GET" : "POST";
    const answer = await fetch(root + path, { method, headers, body: isForm ? body : JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) return shop.onError?.({ status: answer.status, responseText: text }, "error");
    const result = JSON.parse(text);
    if (typeof callback === "function") callback(result);
    else fallback?.(result);
    return result;
  };
  const cart = (one) => shop.onCartUpdate?.(one);
  const calls = {
    onError({ responseText }) {
      const { message, description } = JSON.parse(responseText || "{}");
      alert([message, description].filter(Boolean).join(": "));
    },
    onItemAdded() {},
    onCartUpdate() {},
    onProduct() {},
    getCart: (callback) => ask("cart.js", undefined, callback, cart),
    getProduct: (handle, callback) => ask(`products/${handle}.js`, undefined, callback, (one) => shop.onProduct?.(one)),
    addItem: (id, quantity, callback) =>
      ask("cart/add.js", { id, quantity: quantity || 1 }, callback, (one) => shop.onItemAdded?.(one)),
    addItemFromForm: (form, callback) =>
      ask("cart/add.js", new FormData(elementOf(form)), callback, (one) => shop.onItemAdded?.(one)),
    changeItem: (id, quantity, callback) => ask("cart/change.js", { id, quantity }, callback, cart),
    removeItem: (id, callback) => ask("cart/change.js", { id, quantity: 0 }, callback, cart),
    clear: (callback) => ask("cart/clear.js", {}, callback, cart),
    updateCartFromForm: (form, callback) => ask("cart/update.js", new FormData(elementOf(form)), callback, cart),
    updateCartAttributes: (attributes, callback) => ask("cart/update.js", { attributes }, callback, cart),
    updateCartNote: (note, callback) => ask("cart/update.js", { note }, callback, cart),
    getCartShippingRatesForDestination: (address, callback) => {
      const query = new URLSearchParams(
        Object.entries(address).map(([name, value]) => [`shipping_address[${name}]`, value]),
      );
      const reportRates = ({ shipping_rates: rates }) => (callback ?? shop.onCartShippingRatesUpdate)?.(rates, address);
      return ask(`cart/shipping_rates.json?${query}`, undefined, reportRates);
    },
    /** "/media/coat.jpg" -> "/media/coat_300x.jpg" */
    resizeImage: (image, size) =>
      image && size && size !== "original" ? image.replace(/(\.\w+)(\?|$)/, `_${size}$1$2`) : image,
  };
  calls.getSizedImageUrl = calls.resizeImage;
  for (const [name, call] of Object.entries(calls)) shop[name] ??= call;

  const named =
    /_(pico|icon|thumb|small|compact|medium|large|grande|\d{1,4}x\d{0,4}|x\d{1,4})(?:_crop_\w+)?(?:@\dx)?\.\w+(?:\?|$)/;
  shop.Image ??= {
    getSizedImageUrl: calls.resizeImage,
    removeProtocol: (address) => address.replace(/^https?:/, ""),
    /**
     * Returns the size in an image URL, from its file name ("large") or its query ("300x200"); null if it has no size.
     */
    imageSize: (address) => {
      const { width = "", height = "" } = Object.fromEntries(new URL(address, location.href).searchParams);
      return named.exec(address)?.[1] ?? (width || height ? `${width}x${height}` : null);
    },
    loadImage: (address) => Object.assign(new Image(), { src: address }),
    preload: (addresses, size) => {
      for (const address of addresses) shop.Image.loadImage(shop.Image.getSizedImageUrl(address, size));
    },
    /**
     * Shows another image in the size of the current one.
     * @param callback receives its URL, the image and the element
     */
    switchImage: (image, element, callback) => {
      const shown = elementOf(element);
      if (!image || !shown) return;
      const address = shop.Image.getSizedImageUrl(image.src, shop.Image.imageSize(shown.src));
      if (callback) callback(address, image, shown);
      else shown.src = address;
    },
  };

  shop.bind ??=
    (call, owner) =>
    (...values) =>
      call.apply(owner, values);
  shop.addListener ??= (target, name, listener) => target.addEventListener(name, listener);
  shop.setSelectorByValue ??= (list, value) => {
    const at = [...list.options].findIndex((one) => one.value === value || one.innerHTML === value);
    if (at >= 0) list.selectedIndex = at;
    return at;
  };
  shop.postLink ??= (path, { method = "post", parameters = {} } = {}) => {
    const form = Object.assign(document.createElement("form"), { method, action: path });
    for (const [name, value] of Object.entries(parameters))
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    document.body.append(form);
    form.submit();
  };

  /**
   * Updates the list of provinces when another country is selected. Each country's `<option>` contains its provinces in
   * `data-provinces`. `data-default` contains the initial selection.
   */
  shop.CountryProvinceSelector ??= class {
    constructor(country, province, { hideElement } = {}) {
      this.countryEl = elementOf(country);
      this.provinceEl = elementOf(province);
      this.provinceContainer = elementOf(hideElement ?? province);
      this.countryEl.addEventListener("change", () => this.countryHandler());
      const defaultCountry = this.countryEl.dataset.default;
      if (defaultCountry) shop.setSelectorByValue(this.countryEl, defaultCountry);
      this.countryHandler();
      const chosen = this.provinceEl.dataset.default;
      if (chosen) shop.setSelectorByValue(this.provinceEl, chosen);
    }

    countryHandler() {
      const [option] = this.countryEl.selectedOptions;
      const provinces = JSON.parse(option?.dataset.provinces || "[]");
      this.provinceEl.replaceChildren(...provinces.map(([value, name]) => new Option(name, value)));
      this.provinceContainer.style.display = provinces.length === 0 ? "none" : "";
    }
  };

  const toggle = (id) => {
    const element = document.getElementById(id);
    if (element) element.style.display = element.style.display === "none" ? "" : "none";
    return false;
  };
  shop.CustomerAddress ??= {
    toggleForm: (id) => toggle(`edit_address_${id}`),
    toggleNewForm: () => toggle("add_address"),
    destroy: (id, message = "Are you sure you wish to delete this address?") => {
      if (confirm(message)) shop.postLink(`${root}account/addresses/${id}`, { parameters: { _method: "delete" } });
    },
  };
})();

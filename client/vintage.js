/**
 * Functions that older themes expect from another platform's servers (`option_selection.js`, `api.jquery.js`,
 * `shopify_common.js`, `customer_area.js`): variant pickers, cart calls, provinces, address forms. A classic script.
 */
(() => {
  window.Shopify ??= {};
  const shop = window.Shopify;
  if (shop.OptionSelectors) return;
  const root = shop.routes?.root ?? "/";
  const findElement = (target) => (typeof target === "string" ? document.getElementById(target) : target);

  const optionsOf = (variant) => variant.options ?? [variant.option1, variant.option2, variant.option3];

  /**
   * Replaces the `<select>` of all variants with one `<select>` per product option, such as size and color.
   * @param callback receives the selected variant (null if there is none) and this object
   */
  shop.OptionSelectors = class {
    constructor(list, { product, onVariantSelected = () => {}, enableHistoryState = false }) {
      this.list = findElement(list);
      this.product = { ...product, optionNames: () => this.names, getVariant: (values) => this.variantOf(values) };
      this.names = product.options.map((option) => option.name ?? option);
      this.selectIdPrefix = this.domIdPrefix = this.list.id || "product-select";
      this.onVariantSelected = onVariantSelected;
      this.historyState = enableHistoryState;
      this.selectors = this.names.map((name, index) => this.#addSelector(name, index));
      this.list.style.display = "none";
      const requestedId = new URLSearchParams(location.search).get("variant") ?? this.list.value;
      const initialVariant =
        product.variants.find(({ id }) => String(id) === String(requestedId)) ?? product.variants[0];
      this.#showValues(optionsOf(initialVariant ?? {}));
      this.#notifySelection();
    }

    #addSelector(name, index) {
      const wrapper = Object.assign(document.createElement("div"), { className: "selector-wrapper" });
      const element = document.createElement("select");
      Object.assign(element, { className: "single-option-selector", id: `${this.selectIdPrefix}-option-${index}` });
      element.dataset.option = `option${index + 1}`;
      if (this.names.length > 1)
        wrapper.append(Object.assign(document.createElement("label"), { htmlFor: element.id, textContent: name }));
      wrapper.append(element);
      this.list.before(wrapper);
      // A property, not a listener: swatches of themes change the list with jQuery, whose `trigger` calls no listeners.
      element.onchange = () => {
        this.#showValues(this.selectedValues());
        this.#notifySelection();
      };
      return { element, name };
    }

    /** Updates each list. It offers only the values of variants that match the selections in earlier lists. */
    #showValues(requestedValues) {
      const chosenValues = [];
      for (const [index, { element }] of this.selectors.entries()) {
        const matchingVariants = this.product.variants.filter((variant) =>
          chosenValues.every((value, optionIndex) => optionsOf(variant)[optionIndex] === value),
        );
        const values = [...new Set(matchingVariants.map((variant) => optionsOf(variant)[index]))];
        element.replaceChildren(...values.map((value) => new Option(value, value)));
        element.value = values.includes(requestedValues[index]) ? requestedValues[index] : values[0];
        chosenValues.push(element.value);
      }
    }

    #notifySelection() {
      const variant = this.variantOf(this.selectedValues());
      if (variant !== null) this.list.value = variant.id;
      if (variant !== null && this.historyState && this.isNotified) {
        const address = new URL(location.href);
        address.searchParams.set("variant", variant.id);
        history.replaceState({}, document.title, address);
      }
      this.isNotified = true;
      this.onVariantSelected(variant, this);
    }

    selectedValues() {
      return this.selectors.map(({ element }) => element.value);
    }

    variantOf(values) {
      const hasValues = (variant) => values.every((value, index) => optionsOf(variant)[index] === value);
      return this.product.variants.find(hasValues) ?? null;
    }

    /** Selects a variant.  @param id id of the variant  @returns whether the product has this variant */
    selectVariant(id) {
      const variant = this.product.variants.find((variant) => String(variant.id) === String(id));
      if (variant === undefined) return false;
      this.#showValues(optionsOf(variant));
      this.#notifySelection();
      return true;
    }
  };

  const send = async (path, body, callback, fallback) => {
    const isForm = body instanceof FormData;
    const headers = {
      accept: "application/json",
      ...(isForm || body === undefined ? {} : { "content-type": "application/json" }),
    };
    const method = body === undefined ? "GET" : "POST";
    const response = await fetch(root + path, { method, headers, body: isForm ? body : JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) return shop.onError?.({ status: response.status, responseText: text }, "error");
    const result = JSON.parse(text);
    if (typeof callback === "function") callback(result);
    else fallback?.(result);
    return result;
  };
  const notifyCart = (cart) => shop.onCartUpdate?.(cart);
  const callbacks = {
    onError({ responseText }) {
      const { message, description } = JSON.parse(responseText || "{}");
      alert([message, description].filter(Boolean).join(": "));
    },
    onItemAdded() {},
    onCartUpdate() {},
    onProduct() {},
    getCart: (callback) => send("cart.js", undefined, callback, notifyCart),
    getProduct: (handle, callback) =>
      send(`products/${handle}.js`, undefined, callback, (product) => shop.onProduct?.(product)),
    addItem: (id, quantity, callback) =>
      send("cart/add.js", { id, quantity: quantity || 1 }, callback, (item) => shop.onItemAdded?.(item)),
    addItemFromForm: (form, callback) =>
      send("cart/add.js", new FormData(findElement(form)), callback, (item) => shop.onItemAdded?.(item)),
    changeItem: (id, quantity, callback) => send("cart/change.js", { id, quantity }, callback, notifyCart),
    removeItem: (id, callback) => send("cart/change.js", { id, quantity: 0 }, callback, notifyCart),
    clear: (callback) => send("cart/clear.js", {}, callback, notifyCart),
    updateCartFromForm: (form, callback) =>
      send("cart/update.js", new FormData(findElement(form)), callback, notifyCart),
    updateCartAttributes: (attributes, callback) => send("cart/update.js", { attributes }, callback, notifyCart),
    updateCartNote: (note, callback) => send("cart/update.js", { note }, callback, notifyCart),
    getCartShippingRatesForDestination: (address, callback) => {
      const query = new URLSearchParams(
        Object.entries(address).map(([name, value]) => [`shipping_address[${name}]`, value]),
      );
      const reportRates = ({ shipping_rates: rates }) => (callback ?? shop.onCartShippingRatesUpdate)?.(rates, address);
      return send(`cart/shipping_rates.json?${query}`, undefined, reportRates);
    },
    /** "/media/coat.jpg" -> "/media/coat_300x.jpg" */
    resizeImage: (image, size) =>
      image && size && size !== "original" ? image.replace(/(\.\w+)(\?|$)/, `_${size}$1$2`) : image,
  };
  callbacks.getSizedImageUrl = callbacks.resizeImage;
  for (const [name, call] of Object.entries(callbacks)) shop[name] ??= call;

  const sizePattern =
    /_(pico|icon|thumb|small|compact|medium|large|grande|\d{1,4}x\d{0,4}|x\d{1,4})(?:_crop_\w+)?(?:@\dx)?\.\w+(?:\?|$)/;
  shop.Image ??= {
    getSizedImageUrl: callbacks.resizeImage,
    removeProtocol: (address) => address.replace(/^https?:/, ""),
    /**
     * Returns the size in an image URL, from its file name ("large") or its query ("300x200"); null if it has no size.
     */
    imageSize: (address) => {
      const { width = "", height = "" } = Object.fromEntries(new URL(address, location.href).searchParams);
      return sizePattern.exec(address)?.[1] ?? (width || height ? `${width}x${height}` : null);
    },
    loadImage: (address) => Object.assign(new Image(), { src: address }),
    preload: (addresses, size) => {
      for (const address of addresses) shop.Image.loadImage(shop.Image.getSizedImageUrl(address, size));
    },
    /**
     * Shows another image in the size of the current one.
     * @param callback receives the URL of the resized image, the image and the element
     */
    switchImage: (image, element, callback) => {
      const imageElement = findElement(element);
      if (!image || !imageElement) return;
      const address = shop.Image.getSizedImageUrl(image.src, shop.Image.imageSize(imageElement.src));
      if (callback) callback(address, image, imageElement);
      else imageElement.src = address;
    },
  };

  shop.uniq ??= (values) => [...new Set(values)];
  shop.bind ??=
    (call, owner) =>
    (...values) =>
      call.apply(owner, values);
  shop.addListener ??= (target, name, listener) => target.addEventListener(name, listener);
  shop.setSelectorByValue ??= (list, value) => {
    const index = [...list.options].findIndex((option) => option.value === value || option.innerHTML === value);
    if (index >= 0) list.selectedIndex = index;
    return index;
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
      this.countryEl = findElement(country);
      this.provinceEl = findElement(province);
      this.provinceContainer = findElement(hideElement ?? province);
      this.countryEl.addEventListener("change", () => this.countryHandler());
      const defaultCountry = this.countryEl.dataset.default;
      if (defaultCountry) shop.setSelectorByValue(this.countryEl, defaultCountry);
      this.countryHandler();
      const defaultProvince = this.provinceEl.dataset.default;
      if (defaultProvince) shop.setSelectorByValue(this.provinceEl, defaultProvince);
    }

    countryHandler() {
      const [option] = this.countryEl.selectedOptions;
      const provinces = JSON.parse(option?.dataset.provinces || "[]");
      this.provinceEl.replaceChildren(...provinces.map(([value, name]) => new Option(name, value)));
      this.provinceContainer.style.display = provinces.length === 0 ? "none" : "";
    }
  };

  const toggleElement = (id) => {
    const element = document.getElementById(id);
    if (element) element.style.display = element.style.display === "none" ? "" : "none";
    return false;
  };
  shop.CustomerAddress ??= {
    toggleForm: (id) => toggleElement(`view_address_${id}`) || toggleElement(`edit_address_${id}`),
    toggleNewForm: () => toggleElement("add_address"),
    destroy: (id, message = "Are you sure you wish to delete this address?") => {
      if (confirm(message)) shop.postLink(`${root}account/addresses/${id}`, { parameters: { _method: "delete" } });
    },
  };
})();

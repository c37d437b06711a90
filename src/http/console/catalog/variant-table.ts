import { formatOfferTitle, formatVariantTitle } from "../../../catalog/catalog.ts";
import type { Variant } from "../../../catalog/product.ts";
import { formatTypedMoney, parseTypedMoney } from "../../../pricing/money.ts";
import { createFieldsProblem, type FieldError } from "../../../problem.ts";
import type { TokenScope } from "../../../security/api-token.ts";
import { limitFieldText, parseNumber } from "../console-page.ts";
import type { ConsoleTexts } from "../console-texts.ts";
import { type Markup, markup } from "../markup.ts";
import type { EditableProduct, ProductEdit, VariantEdit } from "./variant-edits.ts";

type Form = Readonly<Record<string, unknown>>;

interface TableOptions {
  readonly currency: string;
  readonly rejectedFields?: Form;
  /** Whether to show the product of each variant, with a link. */
  readonly hasProducts: boolean;
  /** Scopes of the user. Fields that the user may not change are read-only. */
  readonly scopes: readonly TokenScope[];
}

/** Renders a table with fields for price and stock of each variant, to be placed in a form. */
export function renderVariantTable(
  texts: ConsoleTexts,
  products: readonly EditableProduct[],
  { currency, rejectedFields = {}, hasProducts, scopes }: TableOptions,
): Markup {
  const submittedVariants = new Map(entriesOf(rejectedFields.variant).map((fields) => [String(fields.id), fields]));
  let index = -1;
  const rows = products.flatMap((entry) =>
    entry.product.variants.map((variant) => {
      index += 1;
      const name = `variant[${index}]`;
      const title = formatVariantTitle({ product: entry.product, variant });
      const fields = submittedVariants.get(variant.id);
      const renderInput = (field: keyof typeof labels, storedText: string): Markup => {
        const value = fields === undefined ? storedText : limitFieldText(fields[field], 30);
        const id = `${field}-${index}`;
        return markup`<td class="edit"><label for="${id}"><span class="hidden">${texts.get("product.fieldOf", { field: texts.get(labels[field]), name: formatOfferTitle({ product: entry.product, variant }) })}</span><span class="field" aria-hidden="true">${texts.get(labels[field])}</span></label><input id="${id}" name="${name}[${field}]" inputmode="${field === "quantity" ? "numeric" : "decimal"}" value="${value}" maxlength="20"${!scopes.includes(field === "quantity" ? "stock:write" : "catalog:write") && markup` readonly`}></td>`;
      };
      const quantity = entry.quantities.get(variant.id);
      const stock =
        quantity === undefined
          ? markup`<td class="edit"><span class="field">${texts.get("labels.stock")}</span> <span class="muted">${texts.get("labels.notTracked")}</span></td>`
          : renderInput("quantity", String(quantity));
      const heading = hasProducts
        ? markup`<a href="/admin/products/${encodeURIComponent(entry.product.handle)}"><bdi>${entry.product.title}</bdi></a>${title !== undefined && markup`<div class="muted"><bdi>${title}</bdi></div>`}`
        : markup`<bdi>${variant.title}</bdi>`;
      return markup`<tr><th scope="row">${heading}${variant.sku !== undefined && markup`<div class="muted">${variant.sku}</div>`}<input type="hidden" name="${name}[id]" value="${variant.id}">${quantity !== undefined && markup`<input type="hidden" name="${name}[seen]" value="${quantity}">`}</th>${renderInput("price", formatTypedMoney(variant.price, currency, texts.language))}${renderInput("compare", variant.compareAtPrice === undefined ? "" : formatTypedMoney(variant.compareAtPrice, currency, texts.language))}${stock}</tr>`;
    }),
  );
  return markup`${renderRevisions(products)}<table class="editable"><thead><tr><th scope="col">${texts.get("product.variant")}</th><th scope="col">${texts.get("product.priceIn", { currency })}</th><th scope="col">${texts.get("labels.comparePrice")}</th><th scope="col">${texts.get("labels.stock")}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Renders hidden fields with the revisions of products, so that changes by other users are not overwritten. */
export function renderRevisions(products: readonly EditableProduct[]): readonly Markup[] {
  return products.map(
    ({ product, revision }, index) =>
      markup`<input type="hidden" name="product[${index}][id]" value="${product.id}"><input type="hidden" name="product[${index}][revision]" value="${revision}">`,
  );
}

const labels = { price: "facets.price", compare: "labels.comparePrice", quantity: "labels.stock" } as const;

/**
 * Parses a submitted form that was rendered by {@link renderVariantTable}.
 * @param products the products that the form contains, with their stored values
 * @returns the products and variants whose fields differ from the stored values
 * @throws Problem `validation_failed`
 */
export function readVariantTable(
  form: Form,
  products: readonly EditableProduct[],
  currency: string,
  language: string,
): readonly ProductEdit[] {
  const errors: FieldError[] = [];
  const submittedVariants = new Map(entriesOf(form.variant).map((fields) => [String(fields.id), fields]));
  const revisions = readRevisions(form);
  const edits = products.flatMap(({ product, quantities }) => {
    const revision = revisions.get(product.id);
    if (revision === undefined) return [];
    const variants = product.variants.flatMap((variant) => {
      const fields = submittedVariants.get(variant.id);
      return fields === undefined
        ? []
        : readVariant(
            fields,
            { variant, title: product.title, currency, language, quantity: quantities.get(variant.id) },
            errors,
          );
    });
    return variants.length === 0 ? [] : [{ target: { product, revision }, variants }];
  });
  if (errors.length > 0) throw createFieldsProblem(errors);
  return edits;
}

/** Returns the revisions of the products in a form by product id. */
export function readRevisions(form: Form): ReadonlyMap<string, number> {
  return new Map(
    entriesOf(form.product).flatMap(({ id, revision: text }) => {
      const revision = parseNumber(text);
      return typeof id === "string" && revision !== undefined ? [[id, revision] as const] : [];
    }),
  );
}

interface ReadVariantOptions {
  readonly variant: Variant;
  /** Title of the product, for error messages. */
  readonly title: string;
  readonly currency: string;
  /** Language of the user, which has a decimal mark. */
  readonly language: string;
  /** Stored units on hand; undefined if stock is not tracked. */
  readonly quantity: number | undefined;
  /** Texts that errors quote. Default: the fields. */
  readonly quotedFields?: Readonly<Record<string, unknown>>;
}

/**
 * Parses the price and stock fields of a variant. A missing field leaves its value unchanged.
 * @returns the changed values, or an empty list if nothing changed
 */
export function readVariant(
  fields: Readonly<Record<string, unknown>>,
  { variant, title, currency, language, quantity, quotedFields = fields }: ReadVariantOptions,
  errors: FieldError[],
): readonly VariantEdit[] {
  const report = (field: string, message: string): void => {
    const quotation = `"${String(quotedFields[field]).trim().slice(0, 30)}"`;
    errors.push({ field, rule: "format", message: `${title}: ${quotation} ${message}` });
  };
  const [price, compare, stock] = [fields.price, fields.compare, fields.quantity].map((value) =>
    typeof value === "string" ? value.trim() : undefined,
  );
  const example = formatTypedMoney(1_250, currency, language);
  const edit: { -readonly [Key in keyof VariantEdit]: VariantEdit[Key] } = { variant };
  if (price !== undefined) {
    const amount = parseTypedMoney(price, currency, language);
    if (amount === undefined) report("price", `is not a price. Enter an amount such as ${example}.`);
    else if (amount !== variant.price) edit.price = amount;
  }
  if (compare !== undefined) {
    const amount = compare === "" ? null : parseTypedMoney(compare, currency, language);
    if (amount === undefined) report("compare", `is not a price. Enter an amount such as ${example}, or nothing.`);
    else if (amount !== (variant.compareAtPrice ?? null)) edit.compareAtPrice = amount;
  }
  if (stock !== undefined && quantity !== undefined) {
    const seenQuantity =
      typeof fields.seen === "string" && /^-?\d{1,10}$/.test(fields.seen) ? Number(fields.seen) : quantity;
    if (!/^-?\d{1,9}$/.test(stock)) report("quantity", "is not a quantity. Enter a whole number.");
    else if (Number(stock) !== seenQuantity) edit.stock = { quantity: Number(stock), seen: seenQuantity };
  }
  return Object.keys(edit).length > 1 ? [edit] : [];
}

/** Returns the entries of numbered form fields such as `variant[0][price]`. */
export function entriesOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Object.values((value ?? {}) as Readonly<Record<string, unknown>>).filter(
    (entry): entry is Readonly<Record<string, unknown>> => typeof entry === "object" && entry !== null,
  );
}

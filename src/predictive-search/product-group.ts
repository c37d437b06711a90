import { hash } from "node:crypto";
import { createQuantitySplitter, normalize } from "@vitrine/search";
import { listColorNames } from "../catalog/color-names.ts";
import type { Product } from "../catalog/product.ts";

/** The fields of a product that determine its group of similar products. */
type GroupedFields = Pick<Product, "title" | "vendor" | "productType">;

/**
 * Length in bytes of the key of a group. Among ten million products, two different groups rarely have the same key of
 * 48 bits.
 */
const KEY_BYTES = 6;

/**
 * Returns a function that computes the key of a product's group. Products have the same key if their vendors and types
 * are equal, and their titles differ only in sizes, colors, quantities and pack counts: "Paint, white, 5 l" and "Paint,
 * red, 2 x 1 l". A key is an integer from 1 to 2^48 - 1, or 0 if the title names nothing but sizes and colors.
 */
export function createGroupHasher(): (product: GroupedFields) => number {
  const splitQuantities = createQuantitySplitter();
  return ({ title, vendor, productType }) => {
    let hasColor = false;
    let hasWord = false;
    let words = "";
    let previousText = "";
    for (const { text, isQuantity } of splitQuantities(title)) {
      const isNumber = /^\d/.test(text);
      const describesVariant = isQuantity
        ? sizePattern.test(text)
        : isNumber
          ? sizeWords.has(previousText)
          : colorNames.has(text) || sizeWords.has(text);
      hasColor ||= !isQuantity && colorNames.has(text);
      previousText = isNumber && describesVariant ? previousText : text;
      if (describesVariant) continue;
      hasWord ||= !isNumber;
      words += ` ${text}`;
    }
    if (!hasWord) return 0;
    const group = JSON.stringify([vendor, productType, words, hasColor]);
    return hash("sha256", group, "buffer").readUIntBE(0, KEY_BYTES) || 1;
  };
}

const colorNames: ReadonlySet<string> = new Set(listColorNames().map(normalize));
/** Words that are sizes, such as "XL", and words after which a number is a size, such as "Gr." in "Gr. 62/68". */
const sizeWords: ReadonlySet<string> = new Set(
  (
    "xxxs xxs xs s m l xl xxl xxxl xxxxl 2xs 3xs 2xl 3xl 4xl 5xl 6xl small medium large " +
    "size sizes gr grosse groesse taille tailles talla tallas taglia taglie tamanho maat storlek storrelse koko " +
    "rozmiar velikost velkost meret beden masura размер розмір μεγεθος مقاس מידה eu"
  ).split(" "),
);
/**
 * Matches quantities that state a size: numbers after a word such as "size", dimensions, and numbers with a unit of
 * length, area, volume, weight, count, or memory.
 */
const sizePattern =
  /^@|^\d[\d.]*[a-z]*x\d|^\d[\d.]*(?:mm|cm|m|km|inch|ft|yd|cm2|m2|sqin|sqft|ml|cl|dl|l|m3|floz|pt|qt|gal|cuin|cuft|cuyd|mg|g|kg|oz|lb|pc|mb|gb|tb)$/;

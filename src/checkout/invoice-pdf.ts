import encodeQR from "qr";
import { getTextDirection } from "../messages/text-direction.ts";
import type { Invoice } from "./invoice.ts";
import { createInvoiceContent, type InvoiceContent, type LabeledText, type PartyContent } from "./invoice-content.ts";

/** An optional package that the merchant installs. It is loaded with the first invoice. */
const PDF_LIBRARY: string = "pdfkit";

/** Page margin in points. */
const PAGE_MARGIN = 56;
const FONT_SIZE = 10;
const ROW_PADDING = 4;
const ROWS_BETWEEN_PAUSES = 5;
/** Width and height of a QR code in points, which are 4 cm. */
const QR_CODE_SIZE = 113;
/** Width of the empty margin around a QR code, in modules (the squares of the code). */
const QR_CODE_BORDER = 4;

/** The parts of pdfkit's document that this module uses. Lengths are in points. */
interface PdfDocument {
  y: number;
  readonly page: { readonly width: number; readonly height: number };
  font(name: string): this;
  fontSize(size: number): this;
  fillColor(color: string): this;
  text(text: string, x: number, y: number, options: TextOptions): this;
  heightOfString(text: string, options: TextOptions): number;
  rect(x: number, y: number, width: number, height: number): this;
  fill(color: string): this;
  moveTo(x: number, y: number): this;
  lineTo(x: number, y: number): this;
  lineWidth(width: number): this;
  stroke(color: string): this;
  addPage(): this;
  on(event: "data", listener: (chunk: Uint8Array) => void): this;
  on(event: "end", listener: () => void): this;
  end(): void;
}

interface TextOptions {
  readonly width: number;
  readonly align?: "left" | "right" | "center";
}

type PdfLibrary = new (options: object) => PdfDocument;

let libraryPromise: Promise<PdfLibrary | undefined> | undefined;

/**
 * Creates the PDF of an invoice or credit note. Its fonts have only Latin letters of Western European languages.
 * @param yieldToRequests lets other requests run; called every few rows, because a long invoice takes a fraction of a second
 * @returns undefined if the package pdfkit is not installed, or if the fonts lack a character of the document
 */
export async function createInvoicePdf(
  invoice: Invoice,
  yieldToRequests: () => Promise<void>,
): Promise<Uint8Array | undefined> {
  const content = createInvoiceContent(invoice);
  if (!isInvoicePrintable(content, invoice.document.locale)) return undefined;
  const PdfKit = await loadPdfLibrary();
  return PdfKit && drawInvoice(PdfKit, invoice, content, yieldToRequests);
}

/** Returns whether `createInvoicePdf` returns a PDF. */
export async function hasInvoicePdf(invoice: Invoice): Promise<boolean> {
  const content = createInvoiceContent(invoice);
  return isInvoicePrintable(content, invoice.document.locale) && (await loadPdfLibrary()) !== undefined;
}

function loadPdfLibrary(): Promise<PdfLibrary | undefined> {
  libraryPromise ??= import(PDF_LIBRARY).then(
    (module: { readonly default: PdfLibrary }) => module.default,
    () => undefined,
  );
  return libraryPromise;
}

/** Characters of Windows-1252 that are not in Latin-1. The standard PDF fonts contain both. */
const windows1252Characters = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
const printableText = new RegExp(`^[\\n\\x20-\\x7e\\xa0-\\xff${windows1252Characters}]*$`);

function isInvoicePrintable(content: InvoiceContent, locale: string): boolean {
  return getTextDirection(locale) !== "rtl" && printableText.test(toPrintableText(JSON.stringify(content)));
}

/** Replaces characters that `Intl` uses but the PDF fonts lack, such as narrow spaces, by equivalent ones. */
function toPrintableText(text: string): string {
  return text
    .replace(/[\u2009\u202f]/g, "\u00a0")
    .replaceAll("\u2212", "-")
    .replace(/[\u061c\u200e\u200f\u2066-\u2069]/g, "");
}

async function drawInvoice(
  PdfKit: PdfLibrary,
  { document, number }: Invoice,
  content: InvoiceContent,
  yieldToRequests: () => Promise<void>,
): Promise<Uint8Array> {
  const pdfInfo = { Title: toPrintableText(content.title), Author: toPrintableText(document.seller.name) };
  const pdf = new PdfKit({
    ...{ size: "A4", margin: PAGE_MARGIN, lang: document.locale },
    info: { ...pdfInfo, Subject: number, CreationDate: new Date(document.issuedAt) },
  });
  const chunks: Uint8Array[] = [];
  const result = new Promise<Uint8Array>((resolve) => {
    pdf.on("data", (chunk) => chunks.push(chunk));
    pdf.on("end", () => resolve(Buffer.concat(chunks)));
  });
  await drawContent(createPdfPrinter(pdf, yieldToRequests), content);
  pdf.end();
  return result;
}

async function drawContent(printer: PdfPrinter, content: InvoiceContent): Promise<void> {
  const { title, seller, sellerFacts, buyer, facts, subject, items, totals, taxes, payment, note } = content;
  printer.columns(
    (column) => printer.printParty(column, seller),
    (column) => printer.facts(column, sellerFacts),
  );
  printer.addSpace(24);
  printer.columns(
    (column) => {
      if (buyer === undefined) return;
      printer.line(column, buyer.heading, { isMuted: true });
      printer.printParty(column, buyer);
    },
    (column) => printer.facts(column, facts),
  );
  printer.addSpace(24);
  printer.line(printer.page, title, { isStrong: true, size: 18 });
  for (const text of subject) printer.line(printer.page, text);
  printer.addSpace(12);
  if (items !== undefined)
    await printer.printTable(
      [0.46, 0.14, 0.2, 0.2],
      items.columns,
      items.rows.map(({ title: name, details, cells }) => [[name, ...details].join("\n"), ...cells]),
    );
  printer.addSpace(12);
  for (const { label, amount, isStrong } of totals)
    printer.row([0.55, 0.25, 0.2], ["", label, amount], { isStrong, hasLine: isStrong });
  if (taxes !== undefined) {
    printer.addSpace(12);
    await printer.printTable([0.25, 0.25, 0.25, 0.25], taxes.columns, taxes.rows);
  }
  if (payment !== undefined) {
    printer.addSpace(24);
    printer.keep(QR_CODE_SIZE + 16);
    printer.columns(
      (column) => printer.facts(column, payment.facts),
      (column) => payment.code && printer.code(column, payment.code),
    );
  }
  if (note !== undefined) {
    printer.addSpace(24);
    printer.line(printer.page, note);
  }
}

interface Column {
  readonly x: number;
  readonly width: number;
}

interface LineStyle {
  readonly isStrong?: boolean;
  readonly isMuted?: boolean;
  readonly size?: number;
}

type PdfPrinter = ReturnType<typeof createPdfPrinter>;

/** Returns functions that print from top to bottom, and start a new page when the current page is full. */
function createPdfPrinter(pdf: PdfDocument, yieldToRequests: () => Promise<void>) {
  const page: Column = { x: PAGE_MARGIN, width: pdf.page.width - 2 * PAGE_MARGIN };
  const pageBottom = pdf.page.height - PAGE_MARGIN;
  const setStyle = ({ isStrong = false, isMuted = false, size = FONT_SIZE }: LineStyle): void => {
    pdf
      .font(isStrong ? "Helvetica-Bold" : "Helvetica")
      .fontSize(size)
      .fillColor(isMuted ? "#555" : "#111");
  };
  const keep = (height: number): void => {
    if (pdf.y + height <= pageBottom) return;
    pdf.addPage();
    pdf.y = PAGE_MARGIN;
  };
  const line = ({ x, width }: Column, text: string, lineStyle: LineStyle = {}): void => {
    setStyle(lineStyle);
    const printableLine = toPrintableText(text);
    keep(Math.min(pdf.heightOfString(printableLine, { width }), pageBottom - PAGE_MARGIN));
    pdf.text(printableLine, x, pdf.y, { width });
  };
  /** Prints a row of cells. The first cell that is not empty is left-aligned, and the others are right-aligned. */
  const row = (
    widths: readonly number[],
    texts: readonly string[],
    { hasLine = false, ...lineStyle }: LineStyle & { readonly hasLine?: boolean } = {},
  ): void => {
    setStyle(lineStyle);
    const cells = texts.map((text, index) => {
      const start = widths.slice(0, index).reduce((sum, width) => sum + width, 0);
      const options: TextOptions = {
        width: (widths[index] ?? 0) * page.width - (index === widths.length - 1 ? 0 : 8),
        align: index === 0 || (texts[0] === "" && index === 1) ? "left" : "right",
      };
      return { text: toPrintableText(text), x: page.x + start * page.width, options };
    });
    const height = Math.max(...cells.map(({ text, options }) => pdf.heightOfString(text, options)));
    keep(height + 2 * ROW_PADDING);
    const { y } = pdf;
    if (hasLine)
      pdf
        .moveTo(page.x, y)
        .lineTo(page.x + page.width, y)
        .lineWidth(0.5)
        .stroke("#bbb");
    for (const { text, x, options } of cells) pdf.text(text, x, y + ROW_PADDING, options);
    pdf.y = y + height + 2 * ROW_PADDING;
  };
  return {
    page,
    keep,
    line,
    row,
    addSpace(height: number): void {
      pdf.y += height;
    },
    columns(left: (column: Column) => void, right: (column: Column) => void): void {
      const { y } = pdf;
      const width = page.width / 2 - 12;
      left({ x: page.x, width });
      const leftColumnEnd = pdf.y;
      pdf.y = y;
      right({ x: page.x + page.width / 2 + 12, width });
      pdf.y = Math.max(leftColumnEnd, pdf.y);
    },
    printParty(column: Column, { name, lines }: PartyContent): void {
      line(column, name, { isStrong: true });
      for (const text of lines) line(column, text);
    },
    facts(column: Column, facts: readonly LabeledText[]): void {
      for (const [name, value] of facts) line(column, `${name}: ${value}`);
    },
    async printTable(
      widths: readonly number[],
      columns: readonly string[],
      rows: readonly (readonly string[])[],
    ): Promise<void> {
      row(widths, columns, { isMuted: true });
      for (const [index, cells] of rows.entries()) {
        if (index % ROWS_BETWEEN_PAUSES === ROWS_BETWEEN_PAUSES - 1) await yieldToRequests();
        row(widths, cells, { hasLine: true });
      }
    },
    code({ x, width }: Column, { text, label }: { readonly text: string; readonly label: string }): void {
      const qrModules = encodeQR(text, "raw", { ecc: "medium", border: QR_CODE_BORDER });
      const left = x + width - QR_CODE_SIZE;
      const { y } = pdf;
      const size = QR_CODE_SIZE / qrModules.length;
      qrModules.forEach((moduleRow, rowIndex) => {
        moduleRow.forEach((isDark, index) => {
          if (isDark) pdf.rect(left + index * size, y + rowIndex * size, size, size);
        });
      });
      pdf.fill("#000");
      pdf.y = y + QR_CODE_SIZE;
      setStyle({ size: 8 });
      pdf.text(toPrintableText(label), left, pdf.y, { width: QR_CODE_SIZE, align: "center" });
    },
  };
}

import { entriesOf, getMember, getTextValue, itemsOf } from "../files/json-tree.ts";
import type { CheckContext } from "./check-context.ts";
import { checkBlock, type KnownSchema, listBlockEntries } from "./check-schemas.ts";
import { checkValues, type Reporter } from "./check-settings.ts";
import { suggestName } from "./nearest.ts";

/**
 * Checks that the sections and blocks in JSON templates and section groups exist and define the settings used there.
 */
export function checkPlacements(context: CheckContext, schemas: ReadonlyMap<string, KnownSchema>): void {
  for (const file of [...context.listFiles("templates", ".json"), ...context.listFiles("sections", ".json")])
    checkFile(context, file, schemas);
}

function checkFile(context: CheckContext, file: string, schemas: ReadonlyMap<string, KnownSchema>): void {
  const tree = context.json(file, "template");
  if (tree === undefined) return;
  const report: Reporter = (severity, offset, message) =>
    context.add(severity, "template", context.locate(file, offset), message);
  if (tree.type !== "object") {
    report("error", tree.offset, "a template: expected an object");
    return;
  }
  const layout = getTextValue(getMember(tree, "layout"));
  if (layout !== undefined && !context.theme.has(`layout/${layout}.liquid`))
    report("error", getMember(tree, "layout")?.offset ?? 0, `no file layout/${layout}.liquid`);
  const sections = entriesOf(getMember(tree, "sections"));
  const sectionIds = sections.map(({ key }) => key);
  for (const idNode of itemsOf(getMember(tree, "order"))) {
    const id = getTextValue(idNode) ?? "";
    if (!sectionIds.includes(id))
      report("error", idNode.offset, `"order" names "${id}", which is not in "sections"${suggestName(id, sectionIds)}`);
  }
  const sectionTypes = context
    .listFiles("sections", ".liquid")
    .map((path) => path.slice("sections/".length, -".liquid".length));
  for (const { key, offset, value } of sections) {
    const type = getTextValue(getMember(value, "type"));
    if (type === undefined) {
      report("error", offset, `section "${key}" has no "type"`);
      continue;
    }
    if (type.startsWith("shopify://") || type === "apps") {
      report(
        "warning",
        getMember(value, "type")?.offset ?? offset,
        `section "${key}" belongs to an app and is not shown: remove it`,
      );
      continue;
    }
    const sectionFile = `sections/${type}.liquid`;
    const schema = schemas.get(sectionFile);
    if (schema === undefined) {
      report(
        "error",
        getMember(value, "type")?.offset ?? offset,
        `no file ${sectionFile}${suggestName(type, sectionTypes)}`,
      );
      continue;
    }
    checkValues(getMember(value, "settings"), schema.settings, schema.name, report);
    const blocks = listBlockEntries(getMember(value, "blocks"));
    for (const { offset: blockOffset, value: block } of blocks) checkBlock(block, blockOffset, schema, schemas, report);
    const blockIds = entriesOf(getMember(value, "blocks")).map((entry) => entry.key);
    for (const idNode of itemsOf(getMember(value, "block_order"))) {
      const id = getTextValue(idNode) ?? "";
      if (!blockIds.includes(id))
        report(
          "error",
          idNode.offset,
          `"block_order" names "${id}", which is not in "blocks"${suggestName(id, blockIds)}`,
        );
    }
  }
}

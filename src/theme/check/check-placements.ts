import { entriesOf, getMember, getTextValue, itemsOf, type JsonNode } from "../files/json-tree.ts";
import type { CheckContext, Reporter } from "./check-context.ts";
import { checkBlock, type KnownSchema, listBlockEntries } from "./check-schemas.ts";
import { checkValues } from "./check-settings.ts";
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
  const report = context.createReporter("template", file);
  if (tree.type !== "object") {
    report("error", tree.offset, "a template: expected an object");
    return;
  }
  const layout = getTextValue(getMember(tree, "layout"));
  if (layout !== undefined && !context.theme.has(`layout/${layout}.liquid`))
    report("error", getMember(tree, "layout")?.offset ?? 0, `no file layout/${layout}.liquid`);
  const sections = entriesOf(getMember(tree, "sections"));
  checkOrder(tree, "order", "sections", report);
  const sectionTypes = context.listNames("sections");
  for (const { key, offset, value } of sections) {
    const type = getTextValue(getMember(value, "type"));
    if (type === undefined) {
      report("error", offset, `section "${key}" has no "type"`);
      continue;
    }
    const typeOffset = getMember(value, "type")?.offset ?? offset;
    if (type.startsWith("shopify://") || type === "apps") {
      report("warning", typeOffset, `section "${key}" belongs to an app and is not shown: remove it`);
      continue;
    }
    const sectionFile = `sections/${type}.liquid`;
    const schema = schemas.get(sectionFile);
    if (schema === undefined) {
      report("error", typeOffset, `no file ${sectionFile}${suggestName(type, sectionTypes)}`);
      continue;
    }
    checkValues(getMember(value, "settings"), schema.settings, schema.name, report);
    const blocks = listBlockEntries(getMember(value, "blocks"));
    for (const { offset: blockOffset, value: block } of blocks) checkBlock(block, blockOffset, schema, schemas, report);
    checkOrder(value, "block_order", "blocks", report);
  }
}

/** Checks that the ids in a list are keys of an object.  @param owner object that contains the list and the object */
function checkOrder(owner: JsonNode, listName: string, objectName: string, report: Reporter): void {
  const ids = entriesOf(getMember(owner, objectName)).map(({ key }) => key);
  for (const idNode of itemsOf(getMember(owner, listName))) {
    const id = getTextValue(idNode) ?? "";
    const message = `"${listName}" names "${id}", which is not in "${objectName}"${suggestName(id, ids)}`;
    if (!ids.includes(id)) report("error", idNode.offset, message);
  }
}

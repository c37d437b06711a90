import { maxPage, pageTime } from "./budget.ts";
import { type CompiledTheme, sectionFiles } from "./compiled-theme.ts";
import type { JsonTemplate } from "./json-template.ts";
import type { PageContext } from "./page-context.ts";
import { assign, type RenderState } from "./render-state.ts";
import { attribute } from "./safe-html.ts";
import { renderFile, renderPlacements } from "./sections.ts";

/** Whether a page or its layout names the cart; true in doubt. */
export function pageReadsCart(theme: CompiledTheme, page: PageContext): boolean {
  const file = `templates/${page.template}.json`;
  const layouts = [...theme.folder.texts.keys()].filter((name) => name.startsWith("layout/"));
  return theme.readsCart([...sectionFiles(theme, file), `templates/${page.template}.liquid`, ...layouts]);
}

/** The page's template inside its layout. @throws Error where one of the two is broken or missing */
export function renderPage(state: RenderState, page: PageContext): string {
  const { theme, globals } = state;
  const file = `templates/${page.template}.json`;
  const json = theme.json(file);
  let content = "";
  if (json !== undefined) {
    state.layout = json.layout;
    content = wrapped(json, renderPlacements(state, json.sections, file));
  } else if (page.type !== "404" || theme.has("templates/404.liquid")) {
    content = renderFile(state, `templates/${page.template}.liquid`, timeLeft(state), maxPage);
  }
  const layout = state.layout ?? "theme";
  if (layout === false) return content;
  globals[assign]("content_for_layout", content);
  globals[assign]("content_for_index", content);
  return renderFile(state, `layout/${layout}.liquid`, timeLeft(state), maxPage);
}

/** The element that a JSON template has around its sections. */
function wrapped({ wrapper }: JsonTemplate, html: string): string {
  if (wrapper === undefined) return html;
  const attributes = wrapper.attributes.map(([name, value]) => attribute(name, value)).join("");
  return `<${wrapper.name}${attributes}>${html}</${wrapper.name}>`;
}

function timeLeft(state: RenderState): number {
  return Math.max(0, Math.min(pageTime, state.end - performance.now()));
}

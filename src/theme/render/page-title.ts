import { getMessages, type MessageKey } from "../../messages/messages.ts";
import type { View } from "../view.ts";

/** A page whose title is not in the catalog, such as "cart". */
export type TitledPage = NameIn<MessageKey>;
type NameIn<Key> = Key extends `pageTitles.${infer Name}` ? Name : never;

/** Returns the title of a page from the theme's translations (`page_titles.cart`), or else from those of the server. */
export function getPageTitle(view: View, page: TitledPage): string {
  return view.translate(`page_titles.${page}`)?.text ?? getMessages(view.request.locale)(`pageTitles.${page}`);
}

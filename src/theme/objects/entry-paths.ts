import { localPath, type View } from "../view.ts";

export function productPath(view: View, handle: string): string {
  return localPath(view, `/products/${encodeURIComponent(handle)}`);
}

export function collectionPath(view: View, handle: string): string {
  return localPath(view, `/collections/${encodeURIComponent(handle)}`);
}

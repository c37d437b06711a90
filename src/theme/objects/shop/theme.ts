import type { CompiledTheme } from "../../files/compiled-theme.ts";
import { objectType, TemplateObject } from "../template-object.ts";

export function themeObject(theme: CompiledTheme): TemplateObject<CompiledTheme> {
  return new TemplateObject(themeType, theme);
}

const themeType = objectType<CompiledTheme>("theme", {
  id: () => 1,
  name: (theme) => theme.name,
  role: () => "main",
});

import type { ThemeFolder } from "../files/theme-folder.ts";
import type { CheckContext } from "./check-context.ts";

/** Reports Sass styles, since the server does not compile Sass. */
export function checkSass(context: CheckContext): void {
  const solution =
    "download the compiled file, which the live shop serves as /cdn/shop/t/<number>/assets/<name>.css, and put it into assets/";
  for (const file of findUncompiledSass(context.theme.folder))
    context.add("warning", "sass", { file, line: 1, column: 1 }, `Sass is not compiled here: ${solution}`);
}

/** Returns the paths of the Sass files without a CSS file next to them: "assets/theme.scss.liquid". */
export function findUncompiledSass({ assets, texts }: ThemeFolder): readonly string[] {
  const liquidNames = [...texts.keys()].flatMap((file) => /^assets\/(.+\.s[ac]ss)\.liquid$/.exec(file)?.[1] ?? []);
  const names = new Set([...liquidNames, ...[...assets.keys()].filter((name) => /\.s[ac]ss$/.test(name))]);
  return [...names]
    .filter((name) => !assets.has(`${name}.css`) && !texts.has(`assets/${name}.css.liquid`))
    .map((name) => (texts.has(`assets/${name}.liquid`) ? `assets/${name}.liquid` : `assets/${name}`));
}

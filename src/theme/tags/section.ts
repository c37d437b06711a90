import { type Context, type Emitter, type Liquid, Tag, type TagToken, type TopLevelToken } from "liquidjs";
import { renderGroup, renderStaticSection } from "../render/sections.ts";
import { stateOf } from "../render-state.ts";

/** `{% section 'header' %}`: a section with the settings of the theme. */
export class SectionTag extends Tag {
  readonly #name: string;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    this.#name = fixedName(token);
  }

  override render(context: Context, emitter: Emitter): void {
    emitter.write(renderStaticSection(stateOf(context), this.#name));
  }
}

/** `{% sections 'header-group' %}`: the sections of a group. */
export class SectionGroupTag extends Tag {
  readonly #name: string;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    this.#name = fixedName(token);
  }

  override render(context: Context, emitter: Emitter): void {
    emitter.write(renderGroup(stateOf(context), this.#name));
  }
}

function fixedName(token: TagToken): string {
  const [, single, double] = /^\s*(?:'([^']*)'|"([^"]*)")/.exec(token.args) ?? [];
  const name = single ?? double;
  if (name === undefined) throw new Error(`${token.getText()}: name it by a fixed text, like {% section 'header' %}`);
  return name;
}

import type { Tag } from "../parse/parser.ts";

/** `{% break %}`: ends the enclosing loop. */
export const breakTag: Tag = ({ begin }) => ({
  at: begin,
  isBlank: false,
  render: (context) => {
    context.interrupt = "break";
  },
});

/** `{% continue %}`: continues with the next item of the enclosing loop. */
export const continueTag: Tag = ({ begin }) => ({
  at: begin,
  isBlank: false,
  render: (context) => {
    context.interrupt = "continue";
  },
});

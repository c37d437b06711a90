import type { TagParser } from "../parse/parser.ts";

/** `{% break %}`: ends the enclosing loop. */
export const breakTag: TagParser = ({ begin }) => ({
  at: begin,
  isBlank: false,
  render: (context) => {
    context.interrupt = "break";
  },
});

/** `{% continue %}`: continues with the next item of the enclosing loop. */
export const continueTag: TagParser = ({ begin }) => ({
  at: begin,
  isBlank: false,
  render: (context) => {
    context.interrupt = "continue";
  },
});

import type { TagParser } from "../parse/parser.ts";

/** `{% break %}`: the loop around ends. */
export const breakTag: TagParser = ({ begin }) => ({
  at: begin,
  isBlank: false,
  render: (context) => {
    context.interrupt = "break";
  },
});

/** `{% continue %}`: the loop around goes on to its next item. */
export const continueTag: TagParser = ({ begin }) => ({
  at: begin,
  isBlank: false,
  render: (context) => {
    context.interrupt = "continue";
  },
});

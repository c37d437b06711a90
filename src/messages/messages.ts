/** What the server itself says to shoppers, in one language. Themes have texts of their own in `locales/`. */
export interface Messages {
  /** Names of a form's fields, as they begin a sentence. */
  readonly fields: Readonly<Record<"author" | "body" | "country" | "email", string>>;
  /** What is wrong with a field; its name stands before it. */
  readonly faults: {
    readonly blank: string;
    readonly email: string;
    readonly tooLong: (characters: number) => string;
    readonly unsupported: string;
  };
  /** What is wrong with a form as a whole. */
  readonly forms: {
    readonly tooManyFields: (most: number) => string;
    readonly tooMuch: string;
    readonly notKept: string;
    readonly loginFailed: string;
    readonly accountFailed: string;
  };
}

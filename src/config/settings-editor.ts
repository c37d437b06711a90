import type { StoreSettings } from "./settings.ts";

/** Reads and changes the settings file of the store. */
export interface SettingsEditor {
  /** @throws Problem `settings_read_only` if the file, or a setting in it, has an error */
  read(): Promise<SavedSettings>;
  /**
   * Changes settings in the file, and waits until this server uses them.
   * @param patch changed settings, as a JSON merge patch (RFC 7396): null removes a setting
   * @throws Problem `validation_failed`, `settings_changed`, `settings_read_only`
   */
  change(patch: Readonly<Record<string, unknown>>, options: SettingsChangeOptions): Promise<SavedSettings>;
  /**
   * Sends a test mail to the merchant, and logs it.
   * @throws Problem `validation_failed` if the settings name no mail server
   */
  sendTestMail(options: Pick<SettingsChangeOptions, "by" | "now">): Promise<TestMailResult>;
}

export interface SettingsChangeOptions {
  readonly by: SettingsActor;
  /** Revisions that the file may have. Default: any. */
  readonly revisions?: readonly string[];
  /** Time in milliseconds since 1970. */
  readonly now: number;
}

/** Token of the user or program that changes settings. */
export interface SettingsActor {
  readonly source: "api" | "console";
  readonly token: { readonly id: string; readonly name: string };
}

export interface TestMailResult {
  readonly to: string;
  readonly isAccepted: boolean;
  /** Answer of the mail server, or the reason why the mail was not sent. */
  readonly answer: string;
  /** Undefined if the server accepted the mail. */
  readonly problem?: MailProblem;
}

/** Reason why a mail server does not accept mails. */
export interface MailProblem {
  readonly cause: "login" | "connection" | "other";
  /** Host and port of the server. */
  readonly host: string;
  /** Message in English, from the server or the SMTP library. */
  readonly message: string;
}

/** Settings as the file contains them. */
export interface SavedSettings {
  /** The settings that can be changed while the server runs, without passwords. */
  readonly settings: StoreSettings;
  /** Identifies the content of the file. */
  readonly revision: string;
  /** Reason why the file cannot be changed; undefined if it can. */
  readonly readOnlyReason: "database" | "file" | undefined;
  /** Paths of settings that code computes, such as "mail.smtp". Only the file can be edited to change them. */
  readonly computed: readonly string[];
}

import { readFieldText } from "../filters/filter.ts";
import { readMailTokens } from "../render/account-pages.ts";
import { addPathPrefix, parsePageQuery, type View } from "../view.ts";

/** Attributes and hidden fields for a kind of form. Attributes of the `form` tag take precedence. */
export interface FormAttributes {
  /** URL path to which the form is sent, with the language prefix. */
  readonly action: string;
  readonly id: string;
  /** Value of `form.id`. Default: the id of the element. */
  readonly formId?: string;
  readonly className?: string;
  /** Hidden fields in addition to `form_type`. */
  readonly hiddenFields?: Readonly<Record<string, string>>;
  readonly isMultipart?: boolean;
  /** Query parameter that the page's URL contains after the form was accepted. The URL also names the form's id. */
  readonly successParameter?: string;
  /** Prefix of the query parameters with which the merchant's login service reports the result of a form. */
  readonly accountForm?: string;
}

/** Name of a form field that is hidden from people. If it has a value, the form was sent by a bot. */
export const honeypotField = "website_address";

/**
 * Attributes and hidden fields by kind of form. `subject` is the object that the form is about: a product, an article,
 * an address.
 */
export const formKinds: ReadonlyMap<string, (view: View, subject: unknown) => FormAttributes> = new Map<
  string,
  (view: View, subject: unknown) => FormAttributes
>([
  [
    "product",
    (view, product) => ({
      action: addPathPrefix(view, "/cart/add"),
      id: `product_form_${readFieldText(product, "id")}`,
      className: "shopify-product-form",
      isMultipart: true,
      hiddenFields: { "product-id": readFieldText(product, "id") },
    }),
  ],
  [
    "cart",
    (view) => ({
      action: addPathPrefix(view, "/cart"),
      id: "cart_form",
      className: "shopify-cart-form",
      isMultipart: true,
    }),
  ],
  [
    "localization",
    (view) => ({
      action: addPathPrefix(view, "/localization"),
      id: "localization_form",
      className: "shopify-localization-form",
      isMultipart: true,
      hiddenFields: { _method: "put", return_to: getCurrentUrl(view) },
    }),
  ],
  [
    "currency",
    (view) => ({
      action: addPathPrefix(view, "/cart/update"),
      id: "currency_form",
      className: "shopify-currency-form",
      hiddenFields: { return_to: getCurrentUrl(view) },
    }),
  ],
  ["checkout", (_view, orderForm) => ({ action: readFieldText(orderForm, "action"), id: "checkout_form" })],
  ["contact", createMessageForm("contact_posted")],
  ["customer", createMessageForm("customer_posted")],
  [
    "new_comment",
    (_view, article) => ({
      action: `${readFieldText(article, "url")}/comments`,
      id: "comment_form",
      className: "comment-form",
      successParameter: "comment_posted",
    }),
  ],
  [
    "customer_login",
    (view) => {
      // The page that required the login. Without this check, a link to the login could lead to another site.
      const [returnPath] = /^\/(?![/\\])[!-~]*$/.exec(view.query.get("return_url") ?? "") ?? [];
      return {
        ...createAccountForm("/account/login", "customer_login")(view),
        ...(returnPath === undefined ? {} : { hiddenFields: { return_url: returnPath } }),
      };
    },
  ],
  ["guest_login", createSimpleForm("/account/login", "customer_login_guest", undefined, { guest: "true" })],
  ["create_customer", createAccountForm("/account", "create_customer")],
  ["recover_customer_password", createAccountForm("/account/recover", "recover_customer_password")],
  ["reset_customer_password", createAccountForm("/account/reset", "reset_customer_password")],
  ["activate_customer_password", createAccountForm("/account/activate", "activate_customer_password")],
  [
    "customer_address",
    (view, address) => {
      const id = readFieldText(address, "id");
      const addressPath = id === "" ? "" : `/${encodeURIComponent(id)}`;
      // Themes build the ids of fields from `form.id`, and find them by the id of the address.
      const formId = id === "" ? "new" : id;
      return { action: addPathPrefix(view, `/account/addresses${addressPath}`), id: `address_form_${formId}`, formId };
    },
  ],
  ["storefront_password", createSimpleForm("/password", "login_form", "storefront-password-form")],
]);

/**
 * Creates a form that the merchant's login service handles. It redirects back with `?<id>_posted=true` or
 * `?<id>_failed=true`.
 */
function createAccountForm(path: string, id: string): (view: View) => FormAttributes {
  return (view) => ({
    ...createSimpleForm(path, id, undefined, readMailTokens(view.path))(view),
    accountForm: id,
  });
}

/** Creates a form with which shoppers send a message. */
function createMessageForm(successParameter: string): (view: View) => FormAttributes {
  const parts = createSimpleForm("/contact", "contact_form", "contact-form");
  return (view) => ({ ...parts(view), successParameter });
}

function createSimpleForm(
  path: string,
  id: string,
  className?: string,
  hiddenFields: Readonly<Record<string, string>> = {},
): (view: View) => FormAttributes {
  return (view) => ({
    action: addPathPrefix(view, path),
    id,
    hiddenFields,
    ...(className === undefined ? {} : { className }),
  });
}

/** Returns the URL of the current page, to which the form redirects. */
function getCurrentUrl(view: View): string {
  const query = parsePageQuery(view).toString();
  return query === "" ? addPathPrefix(view, view.path) : `${addPathPrefix(view, view.path)}?${query}`;
}

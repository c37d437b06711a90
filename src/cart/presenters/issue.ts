import { formatPublicId, type Presenter } from "../../catalog/presenters/presenter.ts";
import type { Issue } from "../cart.ts";

export const issuePresenter = {
  code: ({ code }) => code,
  message: ({ message }) => message,
  field: ({ field }) => field,
  key: ({ key }) => key,
  variant_id: ({ variantId }) => (variantId === undefined ? undefined : formatPublicId(variantId)),
  requested_quantity: ({ requestedQuantity }) => requestedQuantity,
  quantity: ({ quantity }) => quantity,
  available_quantity: ({ availableQuantity }) => availableQuantity,
} satisfies Presenter<Issue>;

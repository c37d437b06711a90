import { shownImage } from "../../../catalog/presenters/presenter.ts";
import type { View } from "../../view.ts";
import { imageObject } from "../image.ts";
import { metafieldsObject } from "../metafields.ts";
import { objectType } from "../template-object.ts";

/** Brand settings of the shop. Themes read the logo from here if their settings have none. */
export const brandType = objectType<View>(
  "brand",
  {
    slogan: ({ config }) => config.brand.slogan,
    short_description: ({ config }) => config.brand.shortDescription,
  },
  {
    logo: ({ config }) => brandImage(config.brand.logo, config.name),
    square_logo: ({ config }) => brandImage(config.brand.squareLogo, config.name),
    favicon_url: ({ config }) => brandImage(config.brand.favicon, config.name),
    cover_image: ({ config }) => brandImage(config.brand.coverImage, config.name),
    metafields: ({ config }) => metafieldsObject({ social_links: config.brand.social }),
  },
  {
    absent: "colors",
    returns: {
      logo: "image",
      square_logo: "image",
      favicon_url: "image",
      cover_image: "image",
      metafields: "metafields",
    },
  },
);

function brandImage(src: string | undefined, title: string): unknown {
  return src === undefined ? undefined : imageObject(shownImage({ src }, title));
}

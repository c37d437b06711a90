import { testFilters } from "../filter-examples.fixture.ts";

const image = "product.featured_image";

testFilters({
  image_url: [
    [
      `{{ ${image} | image_url: width: 100 }} {{ ${image} | image_url: width: 99999, height: 50.4 }}`,
      "/media/tote.jpg?width=100 /media/tote.jpg?width=5760&height=50",
    ],
    [
      `{{ ${image} | image_url: format: 'webp', crop: 'center', height: 100, width: 100, pad_color: '#ffffff' }}`,
      "/media/tote.jpg?width=100&height=100&crop=center&format=webp&pad_color=ffffff",
    ],
    [`{{ ${image} | image_url: width: 0, crop: '\\"><script>', format: 'exe' }}`, "/media/tote.jpg"],
    [
      "{{ product | image_url }} {{ product.featured_image.src | image_url: width: 10 }}",
      "/media/tote.jpg /media/tote.jpg?width=10",
    ],
    [
      `{% assign src = ${image}.src %}{{ src.width }} {{ src.aspect_ratio }} {{ src | img_url: '1x1' }} {{ src | append: '?a' }} {{ src | split: '.' | last }} {% if src contains 'tote' %}{{ src | json }}{% endif %}`,
      '800 2.0 /media/tote_1x1.jpg /media/tote.jpg?a jpg "/media/tote.jpg"',
    ],
    [
      "{{ '/media/a.svg' | image_url: width: 10 }} {{ '/media/a.jpg?v=1' | image_url: width: 10 }}",
      "/media/a.svg /media/a.jpg?v=1&width=10",
    ],
    [
      "{{ 'https://cdn.example/a.jpg' | image_url: width: 100, height: 50 }}",
      "https://cdn.example/a.jpg?width=100&height=50",
    ],
    ["{{ nil | image_url }}{{ 5 | image_url: width: 10 }}{{ '\"><script>' | image_url }}", "%22%3E%3Cscript%3E"],
  ],
  image_tag: [
    [
      `{{ ${image} | image_url: width: 200 | image_tag: class: 'a"b' }}`,
      '<img src="/media/tote.jpg?width=200" alt="A red tote" srcset="/media/tote.jpg?width=165 165w, /media/tote.jpg?width=200 200w" width="200" height="100" loading="lazy" class="a&quot;b">',
    ],
    [
      `{{ ${image} | image_url: width: 1500 | image_tag: widths: '200, 900, 1500', sizes: '50vw', loading: 'eager' }}`,
      '<img src="/media/tote.jpg?width=1500" alt="A red tote" srcset="/media/tote.jpg?width=200 200w, /media/tote.jpg?width=800 800w" width="800" height="400" loading="eager" sizes="50vw">',
    ],
    [
      `{{ ${image} | image_url: width: 100, height: 100, crop: 'center' | image_tag: srcset: nil, alt: '<x>', onload: 'x' }}`,
      '<img src="/media/tote.jpg?width=100&amp;height=100&amp;crop=center" alt="&lt;x&gt;" width="100" height="100" loading="lazy">',
    ],
    [
      `{{ ${image} | image_url: width: 165 | image_tag: preload: true, width: 80 }}`,
      '<img src="/media/tote.jpg?width=165" alt="A red tote" srcset="/media/tote.jpg?width=165 165w" width="80" loading="eager" fetchpriority="high">',
    ],
    ["{{ nil | image_tag }}", ""],
  ],
  placeholder_svg_tag: [
    ["{{ 'x' | placeholder_svg_tag: 'a\"b' | slice: 0, 24 }}", '<svg class="a&quot;b" xm'],
    ["{{ 'lifestyle-1' | placeholder_svg_tag | split: '<rect' | last | slice: 0, 26 }}", ' width="1300" height="730"'],
  ],
  img_url: [
    ["{{ product | img_url }} {{ product | img_url: '480x' }}", "/media/tote_small.jpg /media/tote_480x.jpg"],
    ["{{ product | img_url: '40x30', crop: 'top', scale: 2 }}", "/media/tote_40x30_crop_top@2x.jpg"],
    [
      "{% assign address = product | img_url: '1x1' | replace: '_1x1.', '_{width}x.' %}{{ address }}",
      "/media/tote_{width}x.jpg",
    ],
    [
      "{{ product | img_url: '40x', format: 'pjpg' }} {{ 'https://a.example/b.jpg' | img_url: '9x' }} {{ '/media/a.svg' | img_url: '9x' }}",
      "/media/tote_40x.jpg https://a.example/b.jpg?width=9 /media/a.svg",
    ],
    [
      "{% assign address = '/media/a.png' | img_url: '1x1', format: 'pjpg' | replace: '_1x1.', '_{width}x.' %}{{ address }} {{ '/media/a.webp' | img_url: 'small', crop: 'top', format: 'jpg' }} {{ '/media/a.png' | img_url: 'master', format: 'jpg' }}",
      "/media/a_{width}x.progressive.png.jpg /media/a_small_crop_top.webp.jpg /media/a.png?format=jpg",
    ],
    ["{{ product | img_url: 'master' }} {{ nil | img_url: '9x' }}", "/media/tote.jpg /vitrine/no-image.svg"],
    ["{{ product.featured_image | product_img_url: 'x30' }}", "/media/tote_x30.jpg"],
    [
      "{{ product.images[0] | collection_img_url: 'large' }} {{ nil | article_img_url }}",
      "/media/tote_large.jpg /vitrine/no-image.svg",
    ],
  ],
  img_tag: [
    [
      "{{ product | img_tag: 'A \"bag\"', 'c', '20x20' }}",
      '<img src="/media/tote.jpg?width=20&amp;height=20" alt="A &quot;bag&quot;" class="c">',
    ],
  ],
  asset_img_url: [["{{ 'none.png' | asset_img_url: '20x' }}", "/assets/none.png?width=20"]],
  file_url: [
    ["{{ 'a b/c.pdf' | file_url }} {{ 'a.jpg' | file_img_url: '10x' }}", "/media/a%20b/c.pdf /media/a_10x.jpg"],
  ],
  media_tag: [
    [
      "{{ product.media.first | media_tag: image_size: '100x', class: 'm' }}",
      '<img src="/media/tote.jpg?width=100" alt="A red tote" srcset="/media/tote.jpg?width=100 100w" width="100" height="50" loading="lazy" class="m">',
    ],
    ["{{ nil | media_tag }}{{ nil | video_tag }}{{ nil | model_viewer_tag }}{{ product | video_tag }}", ""],
  ],
  external_video_tag: [
    [
      "{{ 'https://www.youtube.com/embed/abc?a=1' | external_video_url: autoplay: true, color: 'white' }}",
      "https://www.youtube.com/embed/abc?a=1&autoplay=1&color=white",
    ],
    [
      "{{ 'https://player.vimeo.com/video/1' | external_video_tag: class: 'v', loading: 'eager', allow: 'fullscreen' }}",
      '<iframe src="https://player.vimeo.com/video/1?dnt=1" title="Video" loading="eager" referrerpolicy="strict-origin-when-cross-origin" allow="fullscreen" class="v-video v"></iframe>',
    ],
    ["{{ 'https://evil.example/' | external_video_tag }}{{ 'javascript:alert(1)' | external_video_tag }}", ""],
  ],
});

testFilters(
  {
    "image_url with compat": [
      [
        `{{ ${image} | image_url }} {{ ${image} | image_url: width: 100 }} {{ product | image_url }}`,
        "//shop.example/media/tote.jpg?v=0 //shop.example/media/tote.jpg?v=0&width=100 //shop.example/media/tote.jpg?v=0",
      ],
      ["{{ '/media/a.jpg?v=1' | image_url: width: 10 }}", "//shop.example/media/a.jpg?v=1&width=10"],
      ["{{ 'https://cdn.example/a.jpg' | image_url: width: 100 }}", "https://cdn.example/a.jpg?width=100"],
      [`{{ ${image} | image_url: width: 9 | image_url: width: 8 }}`, "//shop.example/media/tote.jpg?v=0&width=8"],
      ["{{ localization.country | image_url | slice: 0, 5 }}", "data:"],
    ],
    "img_url with compat": [
      [
        `https:{{ ${image} | img_url: '300x' }} {{ ${image} | img_url: 'master' }}&width=5`,
        "https://shop.example/media/tote_300x.jpg?v=0 //shop.example/media/tote.jpg?v=0&width=5",
      ],
      ["https:{{ nil | img_url: '300x' }}&width=5", "https://shop.example/vitrine/no-image.svg?v=0&width=5"],
    ],
    "image_tag with compat": [
      [
        `{{ ${image} | image_url: width: 100 | image_tag: widths: '50' }}`,
        '<img src="//shop.example/media/tote.jpg?v=0&amp;width=100" alt="A red tote" srcset="//shop.example/media/tote.jpg?v=0&amp;width=50 50w" width="100" height="50" loading="lazy">',
      ],
    ],
    "file_url, file_img_url and asset_url with compat": [
      ["{{ 'a b.pdf' | file_url }}", "//shop.example/media/a%20b.pdf?v=0"],
      ["{{ 'red.png' | file_img_url: '50x' }}", "//shop.example/media/red_50x.png?v=0"],
      ["{{ 'one.css' | asset_url | split: '?' | first }}", "//shop.example/assets/one.css"],
      [
        "{{ 'one.css' | asset_url | stylesheet_tag | slice: 0, 58 }}",
        '<link rel="stylesheet" href="//shop.example/assets/one.css',
      ],
      ["{{ 'none.png' | asset_img_url: '50x' | split: '?' | first }}", "//shop.example/assets/none.png"],
    ],
  },
  { "assets/one.css": "a{}" },
  { compat: { forms: true, script: true, sectionPrefix: "store-section-" } },
);

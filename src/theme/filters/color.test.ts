import { testFilters } from "./filter-examples.fixture.ts";

testFilters({
  color_to_rgb: [
    ["{{ '#EA5AB9' | color_to_rgb }} {{ '#fff8' | color_to_rgb }}", "rgb(234, 90, 185) rgba(255, 255, 255, 0.53)"],
    ["{{ 'hsl(320, 77%, 64%)' | color_to_rgb }}{{ nil | color_to_rgb }}", "rgb(234, 93, 187)"],
  ],
  color_to_hex: [["{{ 'rgb(234, 90, 185)' | color_to_hex }}", "#ea5ab9"]],
  color_to_hsl: [
    [
      "{{ '#EA5AB9' | color_to_hsl }} {{ 'rgba(0, 0, 0, 0.5)' | color_to_hsl }}",
      "hsl(320, 77%, 64%) hsla(0, 0%, 0%, 0.5)",
    ],
  ],
  color_to_oklch: [["{{ '#ff0000' | color_to_oklch }}", "oklch(62.8% 0.258 29.2)"]],
  hex_to_rgba: [
    ["{{ '#EA5AB9' | hex_to_rgba }} {{ '#abc' | hex_to_rgba: 0.5 }}", "rgba(234, 90, 185, 1) rgba(170, 187, 204, 0.5)"],
  ],
  color_extract: [
    ["{{ '#EA5AB9' | color_extract: 'red' }} {{ '#EA5AB9' | color_extract: 'alpha' }}", "234 1.0"],
    ["{{ '#EA5AB9' | color_extract: 'hue' }} {{ '#EA5AB9' | color_extract: 'lightness' }}", "320 64"],
    ["{{ '#EA5AB9' | color_extract: 'taste' }}", ""],
  ],
  color_brightness: [["{{ '#EA5AB9' | color_brightness }} {{ '#000' | color_brightness }}", "143.89 0.0"]],
  brightness_difference: [["{{ '#fff00f' | brightness_difference: '#0b72ab' }}", "129"]],
  color_difference: [["{{ '#ff0000' | color_difference: '#abcdef' }}", "528"]],
  color_contrast: [["{{ '#495859' | color_contrast: '#fffffb' }} {{ '#fff' | color_contrast: '#000' }}", "7.4 21.0"]],
  color_modify: [
    ["{{ '#EA5AB9' | color_modify: 'red', 255 }}", "#ff5ab9"],
    ["{{ '#EA5AB9' | color_modify: 'alpha', 0.85 }}", "rgba(234, 90, 185, 0.85)"],
    ["{{ '#EA5AB9' | color_modify: 'lightness', 100 }}", "#ffffff"],
  ],
  color_lighten: [["{{ '#EA5AB9' | color_lighten: 30 }}", "#fbe2f3"]],
  color_darken: [["{{ '#EA5AB9' | color_darken: 30 }} {{ '#EA5AB9' | color_darken: 500 }}", "#98136b #000000"]],
  color_saturate: [["{{ '#EA5AB9' | color_saturate: 30 }}", "#ff45c0"]],
  color_desaturate: [["{{ '#EA5AB9' | color_desaturate: 30 }}", "#ce76b0"]],
  color_mix: [
    ["{{ '#E800B0' | color_mix: '#00936F', 50 }}", "#744a90"],
    ["{{ 'rgba(232, 0, 176, 0.75)' | color_mix: '#00936F', 50 }}", "rgba(116, 74, 144, 0.88)"],
    ["{{ 'no colour' | color_mix: '#000', 50 }}", "no colour"],
  ],
});

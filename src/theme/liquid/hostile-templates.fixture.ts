/** Templates that would run forever or exhaust the memory if no limits existed. */
export const hostileTemplates: Readonly<Record<string, string>> = {
  "an endless loop": "{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}",
  "an endless loop without a body": "{% for a in (1..100000) %}{% for b in (1..100000) %}{% endfor %}{% endfor %}",
  "a range larger than the memory": "{% for a in (1..9999999999) %}{{ a }}{% endfor %}",
  "a range whose end is a large number in a string":
    "{% assign n = '99999999999' %}{% for a in (1..n) %}{{ a }}{% endfor %}",
  "a snippet that renders itself": "{% render 'self' %}",
  "a snippet that includes itself": "{% include 'self-include' %}",
  "two snippets that render each other": "{% render 'ping' %}",
  "a snippet that renders itself for every item of a list": "{% render 'spread' %}",
  "endless output": "{% for a in (1..100000) %}{{ 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' }}{% endfor %}",
  "a string that doubles":
    "{% assign s = 'x' %}{% for a in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}",
  "a captured string that doubles":
    "{% assign s = 'x' %}{% for a in (1..60) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}{{ s }}",
  "a string that grows by replacement":
    "{% assign s = 'aa' %}{% for a in (1..60) %}{% assign s = s | replace: 'a', 'aaaa' %}{% endfor %}",
  "a list that doubles":
    "{% assign l = 'a,b' | split: ',' %}{% for a in (1..60) %}{% assign l = l | concat: l %}{% endfor %}",
  "the sorting of a long list": "{% assign l = (1..900000) | sort %}{{ l | size }}",
  "the filtering of a long list": "{% assign l = (1..900000) | where: 'x', 1 %}",
  "sorting by a field with a long name":
    "{% assign l = (1..10000) %}{{ l | sort_natural: l }}{% assign s = l | join: '.' %}{% for a in (1..1000) %}{{ l | map: s }}{% endfor %}",
  "the mapping of a long list": "{% assign l = (1..900000) | map: 'x' %}",
  "repeated sorting":
    "{% assign l = (1..10000) %}{% for a in (1..100000) %}{% assign l = l | reverse | sort %}{% endfor %}",
  "a chain of sorts in one expression": `{% assign l = (1..10000) %}{{ l ${"| reverse | sort_natural ".repeat(300)} }}`,
  "a join of long strings":
    "{% assign s = 'x' %}{% for a in (1..19) %}{% assign s = s | append: s %}{% endfor %}{% assign l = 's' | split: '' %}{% for a in (1..12) %}{% assign m = s | split: '~' %}{% assign l = l | concat: m | concat: l %}{% endfor %}{{ l | join: s }}",
  "the output of a list of long strings":
    "{% assign s = 'x' %}{% for a in (1..19) %}{% assign s = s | append: s %}{% endfor %}{% assign m = s | split: '~' %}{% for a in (1..10) %}{% assign m = m | concat: m %}{% endfor %}{{ m }}",
  "the JSON of a long list":
    "{% assign l = 'a,b' | split: ',' %}{% for a in (1..12) %}{% assign l = l | concat: l %}{% endfor %}{{ l | json }}{% for a in (1..100000) %}{{ l | json }}{% endfor %}",
  "a date padded to a gigabyte": "{{ 'now' | date: '%1000000000Y' }}",
  "repeated splitting and joining":
    "{% assign s = 'x' %}{% for a in (1..18) %}{% assign s = s | append: s %}{% endfor %}{% for a in (1..100000) %}{% assign t = s | split: '' | join: '' %}{% endfor %}",
  "an endless table": "{% tablerow a in (1..900000) cols: 2 %}{% for b in (1..900000) %}{% endfor %}{% endtablerow %}",
  "repeated output of all products":
    "{% for a in (1..100000) %}{% for p in collections.all.products %}{{ p.title }}{{ p | json }}{% endfor %}{% endfor %}",
  "deep nesting": `${"{% if true %}".repeat(4_000)}x${"{% endif %}".repeat(4_000)}`,
};

/** Snippets that the hostile templates render. */
export const hostileSnippets = {
  "snippets/self.liquid": "{% render 'self' %}{% render 'self' %}",
  "snippets/self-include.liquid": "{% include 'self-include' %}",
  "snippets/ping.liquid": "{% render 'pong' %}",
  "snippets/pong.liquid": "{% render 'ping' %}",
  "snippets/spread.liquid": "{% assign l = (1..1000) %}{% render 'spread' for l as x %}",
};

// What our pages use of lit-html, whose bundled file has no types.
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => any;
export const svg: typeof html;
export const nothing: unique symbol;
export function render(value: unknown, into: Element): void;

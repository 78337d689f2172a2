// The drawings, which the server writes when it starts.
export const ICONS: { [name: string]: any };

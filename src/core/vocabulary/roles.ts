/** User roles (docs/rules/accounts.md#roles). The numbers are part of the API. */
export const roles = { user: 1, admin: 10, root: 100 } as const;
export type Role = (typeof roles)[keyof typeof roles];

export function isAdmin(role: number): boolean {
  return role >= roles.admin;
}
export function isRoot(role: number): boolean {
  return role >= roles.root;
}

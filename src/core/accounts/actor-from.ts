import type { Actor } from '../kernel/actor.ts';
import type { User } from '../storage/storage.ts';

/** `ip`: the caller's address; '' for calls inside the process. */
export function actorFrom(user: User, ip: string): Actor {
  return { id: user.id, username: user.username, role: user.role, group: user.group, ip };
}

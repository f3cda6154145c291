import type { EnglishOf } from '../english-of.ts';
import type { register as zh } from '../zh/register.ts';

export const register: EnglishOf<typeof zh> = {
  'register.title': 'Create your {{name}} account',
  'register.name.hint': 'Up to 12 characters recommended',
  'register.password.hint': '8 to 20 characters',
  'register.invited': 'You are invited, with the code {{code}}',
  'register.submit': 'Register',
  'register.failed': 'Registration failed, try again later',
  'register.done': 'Your account is ready',
  'register.done.logIn': 'Your account is ready. Log in.',
  'register.closed': 'This site does not accept registrations at the moment.',
  'register.hasAccount': 'Already have an account?',
  'register.logIn': 'Log in',
};

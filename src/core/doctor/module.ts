import type { ServiceModule } from '../runtime/service-module.ts';
import type { DoctorDeps } from './check.ts';
import { createDoctor, type Doctor } from './doctor.ts';

/** Milliseconds until an address counts as unreachable. */
const fetchLimit = 5000;

export function createDoctorModule(deps: Omit<DoctorDeps, 'fetch'>): ServiceModule<Doctor> {
  return { services: createDoctor({ ...deps, fetch: fetchText }) };
}

async function fetchText(url: string) {
  const reply = await fetch(url, { signal: AbortSignal.timeout(fetchLimit) });
  return { ok: reply.ok, status: reply.status, date: reply.headers.get('date'), text: await reply.text() };
}

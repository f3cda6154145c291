/** Pictures of scripted image models: a sunrise in colours drawn by lot, as a PNG. */
import { crc32, deflateSync } from 'node:zlib';
import type { Random } from '../random.ts';

const side = 256;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of 256 × 256 pixels, as base64. */
export function drawPicture(random: Random): string {
  const colour = () => [0, 1, 2].map(() => random.between(40, 230));
  const [sky = [], ground = [], sun = []] = [colour(), colour(), colour()];
  const radius = random.between(30, 60);
  const centre = { x: random.between(70, 186), y: random.between(90, 150) };
  const rows = Buffer.alloc(side * (1 + side * 3));
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const inSun = Math.hypot(x - centre.x, y - centre.y) < radius;
      const base = y > 170 ? ground : inSun ? sun : sky;
      const light = y > 170 || inSun ? 1 : 0.5 + y / 340;
      for (let part = 0; part < 3; part += 1)
        rows[y * (1 + side * 3) + 1 + x * 3 + part] = Math.round((base[part] ?? 0) * light);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits, red, green and blue
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

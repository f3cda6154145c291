/**
 * The orientation in EXIF data (a TIFF structure; CIPA DC-008). It is the one entry that changes
 * what people see, so it is kept when the rest is removed.
 */

const orientationTag = 0x0112;
const shortType = 3;
const headerBytes = 8;
const entryBytes = 12;

/** 1 to 8; 1, the normal one, where the data has none or is damaged. */
export function readOrientation(tiff: Buffer): number {
  if (tiff.length < headerBytes + 2) return 1;
  const mark = tiff.toString('latin1', 0, 4);
  if (mark !== 'II*\0' && mark !== 'MM\0*') return 1;
  const isLittle = mark === 'II*\0';
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const read32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = read32(4);
  if (directory + 2 > tiff.length) return 1;
  const entries = Math.min(
    read16(directory),
    Math.floor((tiff.length - directory - 2) / entryBytes),
  );
  for (let index = 0; index < entries; index++) {
    const at = directory + 2 + index * entryBytes;
    if (read16(at) !== orientationTag) continue;
    const value = read16(at + 8);
    return read16(at + 2) === shortType && value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** A TIFF structure that has the orientation and nothing else. */
export function writeOrientation(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(headerBytes, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(orientationTag, 10);
  tiff.writeUInt16BE(shortType, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

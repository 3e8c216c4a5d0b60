// How a source is named in the store. The key is the path relative to the root, `/`-separated and decoded; a name
// that is not valid UTF-8 gets `//` and the hex of its raw bytes behind it, because two such names can decode to the
// same text. `//` cannot occur in a relative path, so the suffix is unambiguous.

/** The path to show and to compare in contracts: the key without its raw-bytes suffix. */
export function displayPath(key: string): string {
  const cut = key.indexOf('//')
  return cut === -1 ? key : key.slice(0, cut)
}

/**
 * A key as people read it: bytes that are no UTF-8 as `\xff`, so that two names which decode alike still differ. Any
 * other text comes back as it is.
 */
export function readableName(key: string): string {
  const cut = key.lastIndexOf('//')
  const hex = key.slice(cut + 2)
  if (cut === -1 || !/^(?:[0-9a-f]{2})+$/.test(hex)) return key
  const raw = Buffer.from(hex, 'hex')
  return keyOfBytes(raw.toString('latin1')) === key ? escapedBytes(raw) : key
}

function escapedBytes(raw: Buffer): string {
  let text = ''
  for (let at = 0; at < raw.length; ) {
    // The longest first: no proper beginning of a character is valid by itself.
    const length = [4, 3, 2, 1].find((bytes) => isOneCharacter(raw.subarray(at, at + bytes), bytes)) ?? 0
    text += length > 0 ? raw.toString('utf8', at, at + length) : `\\x${(raw[at] ?? 0).toString(16).padStart(2, '0')}`
    at += Math.max(1, length)
  }
  return text
}

function isOneCharacter(bytes: Buffer, length: number): boolean {
  const text = bytes.toString('utf8')
  return bytes.length === length && [...text].length === 1 && Buffer.from(text, 'utf8').equals(bytes)
}

/** True for a key whose name on disk is not valid UTF-8. */
export function isMangledKey(key: string): boolean {
  return key.includes('//')
}

/**
 * The folder a key lies in; the root is the empty string. Only the last name of a key can be mangled: a folder whose
 * name is not valid UTF-8 is not entered.
 */
export function dirOfKey(key: string): string {
  const path = displayPath(key)
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

/** Joins a folder key and a name in it. */
export function joinKey(dir: string, name: string): string {
  return dir === '' ? name : `${dir}/${name}`
}

/** The key of a path given as raw bytes, one latin1 character per byte. */
export function keyOfBytes(bytes: string): string {
  if (/^[\x00-\x7f]*$/.test(bytes)) return bytes
  const raw = Buffer.from(bytes, 'latin1')
  const path = raw.toString('utf8')
  // Decoding and encoding again returns the same bytes only where they were valid.
  return Buffer.from(path, 'utf8').equals(raw) ? path : `${path}//${raw.toString('hex')}`
}

/** The bytes to open for a key: the raw name where it is mangled, else the path itself. */
export function rawPathOf(key: string): string | Buffer {
  const cut = key.indexOf('//')
  return cut === -1 ? key : Buffer.from(key.slice(cut + 2), 'hex')
}

// How a source is named in the store. The key is the path relative to the root, `/`-separated and decoded; a name
// that is not valid UTF-8 gets `//` and the hex of its raw bytes behind it, because two such names can decode to the
// same text. `//` cannot occur in a relative path, so the suffix is unambiguous.

/** The path to show and to compare in contracts: the key without its raw-bytes suffix. */
export function displayPath(key: string): string {
  const cut = key.indexOf('//')
  return cut === -1 ? key : key.slice(0, cut)
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

// The program's version; a test holds it equal to package.json. Reading package.json at run time would cost a file.

export const VERSION = '0.1.0'

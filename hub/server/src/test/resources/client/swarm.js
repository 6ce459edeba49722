// A stand-in for the client script. Tests request this file from a server.

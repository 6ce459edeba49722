// The client, for tests.

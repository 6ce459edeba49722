package dev.doyen.stores.objects;

/** An object as it was read, and the tag of that state. */
public record StoredObject(String tag, ObjectContent content) {}

package dev.doyen.stores.objects;

/** The state of an object when it was read, with the tag of this state. */
public record StoredObject(String tag, ObjectContent content) {}

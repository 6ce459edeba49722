package dev.doyen.stores.objects;

/** An object as read, with the tag of that state. */
public record StoredObject(String tag, ObjectContent content) {}

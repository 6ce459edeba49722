/**
 * The settings file of {@code doyen hub}: read strictly, so that a word misspelled is refused and not passed over.
 *
 * <p>Everything here is a value or a function; only {@link dev.doyen.server.settings.HubSettingsFile#read} reads a file.
 */
@NullMarked
package dev.doyen.server.settings;

import org.jspecify.annotations.NullMarked;

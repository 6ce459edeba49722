/**
 * Reads the settings file of {@code doyen hub}, strictly: an unknown name is an error.
 *
 * <p>Everything here is a value or a function. Only {@link dev.doyen.hub.server.settings.HubSettingsFile#read} and
 * {@link dev.doyen.hub.server.settings.FlagSettings#read} read a file. Start with {@code HubSettingsFile}.
 */
@NullMarked
package dev.doyen.hub.server.settings;

import org.jspecify.annotations.NullMarked;

/**
 * The package reads the settings file of {@code doyen hub} and rejects unknown names.
 *
 * <p>Every class in this package is a value or a function. Only {@link
 * dev.doyen.hub.server.settings.HubSettingsFile#read} and {@link dev.doyen.hub.server.settings.FlagSettings#read} read
 * a file. Start reading at {@code HubSettingsFile}.
 */
@NullMarked
package dev.doyen.hub.server.settings;

import org.jspecify.annotations.NullMarked;

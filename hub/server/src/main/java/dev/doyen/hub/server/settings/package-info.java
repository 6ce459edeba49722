/**
 * The package reads the settings file of {@code doyen hub} and rejects unknown names.
 *
 * <p>Almost every class in this package is a value or a function. Only {@code HubSettingsFile}, {@code FlagSettings}
 * and {@code SettingsReload} read a file, and only {@code SettingsReload} has a thread. Start reading at {@code
 * HubSettingsFile}.
 */
@NullMarked
package dev.doyen.hub.server.settings;

import org.jspecify.annotations.NullMarked;

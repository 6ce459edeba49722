@NullMarked
package dev.doyen.hub.server.settings;

import org.jspecify.annotations.NullMarked;

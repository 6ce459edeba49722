@NullMarked
package dev.doyen.server.settings;

import org.jspecify.annotations.NullMarked;

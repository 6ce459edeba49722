@NullMarked
package dev.doyen.client;

import org.jspecify.annotations.NullMarked;

/** Tests of the parts that answer requests. */
@NullMarked
package dev.doyen.hub.rest;

import org.jspecify.annotations.NullMarked;

/*eslint-disable block-scoped-var, id-length, no-control-regex, no-magic-numbers, no-mixed-operators, no-prototype-builtins, no-redeclare, no-shadow, no-var, sort-vars, default-case, jsdoc/require-param*/
import $protobuf from "protobufjs/minimal.js";

// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

// Exported root namespace
const $root = $protobuf.roots["default"] || ($protobuf.roots["default"] = {});

export const message = $root.message = (() => {

    /**
     * Namespace message.
     * @exports message
     * @namespace
     */
    const message = {};

    message.Header = (function() {

        /**
         * Properties of a Header.
         * @typedef {Object} message.Header.$Properties
         * @property {number} messageLength Header messageLength
         * @property {message.Header.HmacHashFunction|null} [hmacHashFunction] Header hmacHashFunction
         * @property {string|null} [hmacSigner] Header hmacSigner
         * @property {number|null} [hmacKeyVersion] Header hmacKeyVersion
         * @property {Uint8Array|null} [hmac] Header hmac
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Header.
         * @memberof message
         * @interface IHeader
         * @augments message.Header.$Properties
         * @deprecated Use message.Header.$Properties instead.
         */

        /**
         * Shape of a Header.
         * @typedef {message.Header.$Properties} message.Header.$Shape
         */

        /**
         * Constructs a new Header.
         * @memberof message
         * @classdesc Represents a Header.
         * @constructor
         * @param {message.Header.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Header = function (properties) {
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        /**
         * Header messageLength.
         * @member {number} messageLength
         * @memberof message.Header
         * @instance
         */
        Header.prototype.messageLength = 0;

        /**
         * Header hmacHashFunction.
         * @member {message.Header.HmacHashFunction} hmacHashFunction
         * @memberof message.Header
         * @instance
         */
        Header.prototype.hmacHashFunction = 0;

        /**
         * Header hmacSigner.
         * @member {string} hmacSigner
         * @memberof message.Header
         * @instance
         */
        Header.prototype.hmacSigner = "";

        /**
         * Header hmacKeyVersion.
         * @member {number} hmacKeyVersion
         * @memberof message.Header
         * @instance
         */
        Header.prototype.hmacKeyVersion = 0;

        /**
         * Header hmac.
         * @member {Uint8Array} hmac
         * @memberof message.Header
         * @instance
         */
        Header.prototype.hmac = $util.newBuffer([]);

        /**
         * Creates a new Header instance using the specified properties.
         * @function create
         * @memberof message.Header
         * @static
         * @param {message.Header.$Properties=} [properties] Properties to set
         * @returns {message.Header} Header instance
         * @type {{
         *   (properties: message.Header.$Shape): message.Header & message.Header.$Shape;
         *   (properties?: message.Header.$Properties): message.Header;
         * }}
         */
        Header.create = function(properties) {
            return new Header(properties);
        };

        /**
         * Encodes the specified Header message. Does not implicitly {@link message.Header.verify|verify} messages.
         * @function encode
         * @memberof message.Header
         * @static
         * @param {message.Header.$Properties} message Header message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Header.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.messageLength);
            if (message.hmacHashFunction != null && $Object.hasOwnProperty.call(message, "hmacHashFunction"))
                writer.uint32(/* id 3, wireType 0 =*/24).int32(message.hmacHashFunction);
            if (message.hmacSigner != null && $Object.hasOwnProperty.call(message, "hmacSigner"))
                writer.uint32(/* id 4, wireType 2 =*/34).string(message.hmacSigner);
            if (message.hmacKeyVersion != null && $Object.hasOwnProperty.call(message, "hmacKeyVersion"))
                writer.uint32(/* id 5, wireType 0 =*/40).uint32(message.hmacKeyVersion);
            if (message.hmac != null && $Object.hasOwnProperty.call(message, "hmac"))
                writer.uint32(/* id 6, wireType 2 =*/50).bytes(message.hmac);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        /**
         * Decodes a Header message from the specified reader or buffer.
         * @function decode
         * @memberof message.Header
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {message.Header & message.Header.$Shape} Header
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Header.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.message.Header();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        message.messageLength = reader.uint32();
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        value = reader.int32();
                        if ($root.message.Header.HmacHashFunction[value] !== $undefined)
                            message.hmacHashFunction = value;
                        else if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        message.hmacSigner = reader.string();
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        message.hmacKeyVersion = reader.uint32();
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        message.hmac = reader.bytes();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            if (!$Object.hasOwnProperty.call(message, "messageLength"))
                throw $util.ProtocolError("missing required 'messageLength'", { instance: message });
            return message;
        };

        /**
         * HmacHashFunction enum.
         * @name message.Header.HmacHashFunction
         * @enum {number}
         * @property {number} MD5=0 MD5 value
         * @property {number} SHA1=1 SHA1 value
         */
        Header.HmacHashFunction = (function() {
            const valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "MD5"] = 0;
            values[valuesById[1] = "SHA1"] = 1;
            return values;
        })();

        return Header;
    })();

    message.Field = (function() {

        /**
         * Properties of a Field.
         * @typedef {Object} message.Field.$Properties
         * @property {string} name Field name
         * @property {message.Field.ValueType|null} [valueType] Field valueType
         * @property {string|null} [representation] Field representation
         * @property {Array.<string>|null} [valueString] Field valueString
         * @property {Array.<Uint8Array>|null} [valueBytes] Field valueBytes
         * @property {Array.<Long>|null} [valueInteger] Field valueInteger
         * @property {Array.<number>|null} [valueDouble] Field valueDouble
         * @property {Array.<boolean>|null} [valueBool] Field valueBool
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Field.
         * @memberof message
         * @interface IField
         * @augments message.Field.$Properties
         * @deprecated Use message.Field.$Properties instead.
         */

        /**
         * Shape of a Field.
         * @typedef {message.Field.$Properties} message.Field.$Shape
         */

        /**
         * Constructs a new Field.
         * @memberof message
         * @classdesc Represents a Field.
         * @constructor
         * @param {message.Field.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Field = function (properties) {
            this.valueString = [];
            this.valueBytes = [];
            this.valueInteger = [];
            this.valueDouble = [];
            this.valueBool = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        /**
         * Field name.
         * @member {string} name
         * @memberof message.Field
         * @instance
         */
        Field.prototype.name = "";

        /**
         * Field valueType.
         * @member {message.Field.ValueType} valueType
         * @memberof message.Field
         * @instance
         */
        Field.prototype.valueType = 0;

        /**
         * Field representation.
         * @member {string} representation
         * @memberof message.Field
         * @instance
         */
        Field.prototype.representation = "";

        /**
         * Field valueString.
         * @member {Array.<string>} valueString
         * @memberof message.Field
         * @instance
         */
        Field.prototype.valueString = $util.emptyArray;

        /**
         * Field valueBytes.
         * @member {Array.<Uint8Array>} valueBytes
         * @memberof message.Field
         * @instance
         */
        Field.prototype.valueBytes = $util.emptyArray;

        /**
         * Field valueInteger.
         * @member {Array.<Long>} valueInteger
         * @memberof message.Field
         * @instance
         */
        Field.prototype.valueInteger = $util.emptyArray;

        /**
         * Field valueDouble.
         * @member {Array.<number>} valueDouble
         * @memberof message.Field
         * @instance
         */
        Field.prototype.valueDouble = $util.emptyArray;

        /**
         * Field valueBool.
         * @member {Array.<boolean>} valueBool
         * @memberof message.Field
         * @instance
         */
        Field.prototype.valueBool = $util.emptyArray;

        /**
         * Creates a new Field instance using the specified properties.
         * @function create
         * @memberof message.Field
         * @static
         * @param {message.Field.$Properties=} [properties] Properties to set
         * @returns {message.Field} Field instance
         * @type {{
         *   (properties: message.Field.$Shape): message.Field & message.Field.$Shape;
         *   (properties?: message.Field.$Properties): message.Field;
         * }}
         */
        Field.create = function(properties) {
            return new Field(properties);
        };

        /**
         * Encodes the specified Field message. Does not implicitly {@link message.Field.verify|verify} messages.
         * @function encode
         * @memberof message.Field
         * @static
         * @param {message.Field.$Properties} message Field message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Field.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            writer.uint32(/* id 1, wireType 2 =*/10).string(message.name);
            if (message.valueType != null && $Object.hasOwnProperty.call(message, "valueType"))
                writer.uint32(/* id 2, wireType 0 =*/16).int32(message.valueType);
            if (message.representation != null && $Object.hasOwnProperty.call(message, "representation"))
                writer.uint32(/* id 3, wireType 2 =*/26).string(message.representation);
            if (message.valueString != null && message.valueString.length)
                for (let i = 0; i < message.valueString.length; ++i)
                    writer.uint32(/* id 4, wireType 2 =*/34).string(message.valueString[i]);
            if (message.valueBytes != null && message.valueBytes.length)
                for (let i = 0; i < message.valueBytes.length; ++i)
                    writer.uint32(/* id 5, wireType 2 =*/42).bytes(message.valueBytes[i]);
            if (message.valueInteger != null && message.valueInteger.length)
                writer.uint32(/* id 6, wireType 2 =*/50).int64s(message.valueInteger);
            if (message.valueDouble != null && message.valueDouble.length)
                writer.uint32(/* id 7, wireType 2 =*/58).doubles(message.valueDouble);
            if (message.valueBool != null && message.valueBool.length)
                writer.uint32(/* id 8, wireType 2 =*/66).bools(message.valueBool);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        /**
         * Decodes a Field message from the specified reader or buffer.
         * @function decode
         * @memberof message.Field
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {message.Field & message.Field.$Shape} Field
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Field.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.message.Field();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        message.name = reader.string();
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        value = reader.int32();
                        if ($root.message.Field.ValueType[value] !== $undefined)
                            message.valueType = value;
                        else if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.representation = reader.string();
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if (!(message.valueString && message.valueString.length))
                            message.valueString = [];
                        message.valueString.push(reader.string());
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        if (!(message.valueBytes && message.valueBytes.length))
                            message.valueBytes = [];
                        message.valueBytes.push(reader.bytes());
                        continue;
                    }
                case 6: {
                        if (wireType === 2) {
                            if (!(message.valueInteger && message.valueInteger.length))
                                message.valueInteger = [];
                            reader.int64s(message.valueInteger);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.valueInteger && message.valueInteger.length))
                            message.valueInteger = [];
                        message.valueInteger.push(reader.int64());
                        continue;
                    }
                case 7: {
                        if (wireType === 2) {
                            if (!(message.valueDouble && message.valueDouble.length))
                                message.valueDouble = [];
                            reader.doubles(message.valueDouble);
                            continue;
                        }
                        if (wireType !== 1)
                            break;
                        if (!(message.valueDouble && message.valueDouble.length))
                            message.valueDouble = [];
                        message.valueDouble.push(reader.double());
                        continue;
                    }
                case 8: {
                        if (wireType === 2) {
                            if (!(message.valueBool && message.valueBool.length))
                                message.valueBool = [];
                            reader.bools(message.valueBool);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.valueBool && message.valueBool.length))
                            message.valueBool = [];
                        message.valueBool.push(reader.bool());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            if (!$Object.hasOwnProperty.call(message, "name"))
                throw $util.ProtocolError("missing required 'name'", { instance: message });
            return message;
        };

        /**
         * ValueType enum.
         * @name message.Field.ValueType
         * @enum {number}
         * @property {number} STRING=0 STRING value
         * @property {number} BYTES=1 BYTES value
         * @property {number} INTEGER=2 INTEGER value
         * @property {number} DOUBLE=3 DOUBLE value
         * @property {number} BOOL=4 BOOL value
         */
        Field.ValueType = (function() {
            const valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "STRING"] = 0;
            values[valuesById[1] = "BYTES"] = 1;
            values[valuesById[2] = "INTEGER"] = 2;
            values[valuesById[3] = "DOUBLE"] = 3;
            values[valuesById[4] = "BOOL"] = 4;
            return values;
        })();

        return Field;
    })();

    message.Message = (function() {

        /**
         * Properties of a Message.
         * @typedef {Object} message.Message.$Properties
         * @property {Uint8Array} uuid Message uuid
         * @property {Long} timestamp Message timestamp
         * @property {string|null} [type] Message type
         * @property {string|null} [logger] Message logger
         * @property {number|null} [severity] Message severity
         * @property {string|null} [payload] Message payload
         * @property {string|null} [envVersion] Message envVersion
         * @property {number|null} [pid] Message pid
         * @property {string|null} [hostname] Message hostname
         * @property {Array.<message.Field.$Properties>|null} [fields] Message fields
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Message.
         * @memberof message
         * @interface IMessage
         * @augments message.Message.$Properties
         * @deprecated Use message.Message.$Properties instead.
         */

        /**
         * Shape of a Message.
         * @typedef {message.Message.$Properties} message.Message.$Shape
         */

        /**
         * Constructs a new Message.
         * @memberof message
         * @classdesc Represents a Message.
         * @constructor
         * @param {message.Message.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Message = function (properties) {
            this.fields = [];
            if (properties)
                for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        /**
         * Message uuid.
         * @member {Uint8Array} uuid
         * @memberof message.Message
         * @instance
         */
        Message.prototype.uuid = $util.newBuffer([]);

        /**
         * Message timestamp.
         * @member {Long} timestamp
         * @memberof message.Message
         * @instance
         */
        Message.prototype.timestamp = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        /**
         * Message type.
         * @member {string} type
         * @memberof message.Message
         * @instance
         */
        Message.prototype.type = "";

        /**
         * Message logger.
         * @member {string} logger
         * @memberof message.Message
         * @instance
         */
        Message.prototype.logger = "";

        /**
         * Message severity.
         * @member {number} severity
         * @memberof message.Message
         * @instance
         */
        Message.prototype.severity = 7;

        /**
         * Message payload.
         * @member {string} payload
         * @memberof message.Message
         * @instance
         */
        Message.prototype.payload = "";

        /**
         * Message envVersion.
         * @member {string} envVersion
         * @memberof message.Message
         * @instance
         */
        Message.prototype.envVersion = "";

        /**
         * Message pid.
         * @member {number} pid
         * @memberof message.Message
         * @instance
         */
        Message.prototype.pid = 0;

        /**
         * Message hostname.
         * @member {string} hostname
         * @memberof message.Message
         * @instance
         */
        Message.prototype.hostname = "";

        /**
         * Message fields.
         * @member {Array.<message.Field.$Properties>} fields
         * @memberof message.Message
         * @instance
         */
        Message.prototype.fields = $util.emptyArray;

        /**
         * Creates a new Message instance using the specified properties.
         * @function create
         * @memberof message.Message
         * @static
         * @param {message.Message.$Properties=} [properties] Properties to set
         * @returns {message.Message} Message instance
         * @type {{
         *   (properties: message.Message.$Shape): message.Message & message.Message.$Shape;
         *   (properties?: message.Message.$Properties): message.Message;
         * }}
         */
        Message.create = function(properties) {
            return new Message(properties);
        };

        /**
         * Encodes the specified Message message. Does not implicitly {@link message.Message.verify|verify} messages.
         * @function encode
         * @memberof message.Message
         * @static
         * @param {message.Message.$Properties} message Message message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Message.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.uuid);
            writer.uint32(/* id 2, wireType 0 =*/16).int64(message.timestamp);
            if (message.type != null && $Object.hasOwnProperty.call(message, "type"))
                writer.uint32(/* id 3, wireType 2 =*/26).string(message.type);
            if (message.logger != null && $Object.hasOwnProperty.call(message, "logger"))
                writer.uint32(/* id 4, wireType 2 =*/34).string(message.logger);
            if (message.severity != null && $Object.hasOwnProperty.call(message, "severity"))
                writer.uint32(/* id 5, wireType 0 =*/40).int32(message.severity);
            if (message.payload != null && $Object.hasOwnProperty.call(message, "payload"))
                writer.uint32(/* id 6, wireType 2 =*/50).string(message.payload);
            if (message.envVersion != null && $Object.hasOwnProperty.call(message, "envVersion"))
                writer.uint32(/* id 7, wireType 2 =*/58).string(message.envVersion);
            if (message.pid != null && $Object.hasOwnProperty.call(message, "pid"))
                writer.uint32(/* id 8, wireType 0 =*/64).int32(message.pid);
            if (message.hostname != null && $Object.hasOwnProperty.call(message, "hostname"))
                writer.uint32(/* id 9, wireType 2 =*/74).string(message.hostname);
            if (message.fields != null && message.fields.length)
                for (let i = 0; i < message.fields.length; ++i)
                    $root.message.Field.encode(message.fields[i], writer.uint32(/* id 10, wireType 2 =*/82).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (let i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        /**
         * Decodes a Message message from the specified reader or buffer.
         * @function decode
         * @memberof message.Message
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {message.Message & message.Message.$Shape} Message
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Message.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            let end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.message.Message();
            while (reader.pos < end) {
                let start = reader.pos;
                let tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                let wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        message.uuid = reader.bytes();
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        message.timestamp = reader.int64();
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.type = reader.string();
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        message.logger = reader.string();
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        message.severity = reader.int32();
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        message.payload = reader.string();
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        message.envVersion = reader.string();
                        continue;
                    }
                case 8: {
                        if (wireType !== 0)
                            break;
                        message.pid = reader.int32();
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        message.hostname = reader.string();
                        continue;
                    }
                case 10: {
                        if (wireType !== 2)
                            break;
                        if (!(message.fields && message.fields.length))
                            message.fields = [];
                        message.fields.push($root.message.Field.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            if (!$Object.hasOwnProperty.call(message, "uuid"))
                throw $util.ProtocolError("missing required 'uuid'", { instance: message });
            if (!$Object.hasOwnProperty.call(message, "timestamp"))
                throw $util.ProtocolError("missing required 'timestamp'", { instance: message });
            return message;
        };

        return Message;
    })();

    return message;
})();

export {
  $root as default
};
